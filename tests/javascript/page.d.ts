// A page as its scripts see it. A selector always finds its element, or the script fails with a message in the console:
// so the type is never null. It may be any element in use: a property that none of them has is an error.

interface Part extends HTMLElement {
  action: string;
  checked: boolean;
  content: DocumentFragment;
  dateTime: string;
  defaultChecked: boolean;
  defaultValue: string;
  disabled: boolean;
  download: string;
  elements: HTMLFormControlsCollection;
  files: FileList;
  firstChild: Text;
  form: Part;
  formMethod: string;
  href: string;
  name: string;
  open: boolean;
  parentElement: Part;
  returnValue: string;
  src: string;
  type: string;
  value: string;
  cloneNode(deep: true): Part;
  close(returnValue?: string): void;
  reset(): void;
  select(): void;
  showModal(): void;
}

interface ParentNode {
  querySelector(selectors: string): Part;
  querySelectorAll(selectors: string): NodeListOf<Part>;
}

interface DocumentFragment {
  readonly firstElementChild: Part;
}

interface Node {
  cloneNode(deep: true): any;
}

interface Element {
  closest(selectors: string): Part;
}

interface HTMLFormControlsCollection {
  namedItem(name: string): any;
}

// Any event on a page: `target` is an element.
interface Happening extends KeyboardEvent, MouseEvent {
  readonly detail: any;
  readonly lastEventId: string;
  readonly persisted: boolean;
  readonly submitter: Part;
  readonly target: Part;
  readonly dataTransfer: DataTransfer;
}

type Listener = (event: Happening) => unknown;

interface Document {
  addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions | boolean): void;
}

interface HTMLElement {
  addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions | boolean): void;
}
