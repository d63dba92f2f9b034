// A page as its scripts see it: a selector finds an element of any kind that is in use, or none. A property that no
// kind has is an error.

interface Part extends HTMLElement {
  action: string;
  checked: boolean;
  content: DocumentFragment;
  dateTime: string;
  defaultChecked: boolean;
  defaultValue: string;
  disabled: boolean;
  download: string;
  elements: Iterable<Part> & Pick<HTMLFormControlsCollection, "namedItem">;
  files: FileList;
  /** Text that a template begins an element with. */
  firstChild: Text;
  form: Part | null;
  formMethod: string;
  href: string;
  name: string;
  open: boolean;
  parentElement: Part | null;
  returnValue: string;
  src: string;
  type: string;
  value: string;
  /** The attributes that a template gives an element are there; of others, scripts ask by `in` or `??`. */
  readonly dataset: Record<string, string>;
  close(returnValue?: string): void;
  reset(): void;
  select(): void;
  showModal(): void;
}

interface ParentNode {
  querySelector(selectors: string): Part | null;
  querySelectorAll(selectors: string): NodeListOf<Part>;
}

interface Node {
  cloneNode(deep: true): this;
}

interface Element {
  closest(selectors: string): Part | null;
}

// The fields of a form: all are texts, since no form of a page has files.
interface FormData {
  get(name: string): string | null;
  getAll(name: string): string[];
  [Symbol.iterator](): FormDataIterator<[string, string]>;
}

// An event on a page: `target` is an element.
interface Happening extends KeyboardEvent, MouseEvent {
  readonly pointerType?: string;
  readonly relatedTarget: Part | null;
  readonly submitter: Part | null;
  readonly target: Part;
}

type Listener = (event: Happening) => unknown;

// What an event between scripts tells: see the table in queue.js.
interface Details {
  news: null;
  past: Entry;
  queue: { recorded: Recorded; told: Told } | null;
  recorded: number;
  refused: { halt: Problem; waiting: Entry[] };
  renewed: null;
  renewing: null;
  setback: number;
}

interface Document {
  addEventListener<Name extends keyof Details>(
    type: Name,
    listener: (event: CustomEvent<Details[Name]>) => unknown,
  ): void;
  addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions | boolean): void;
}

interface HTMLElement {
  addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions | boolean): void;
}
