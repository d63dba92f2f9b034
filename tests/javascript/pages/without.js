// A browser without what at least one of the oldest supported browsers lacks: by object, the names.
() => {
  const younger = {
    AbortSignal: "timeout any",
    Array: "fromAsync",
    "Array.prototype": "toReversed toSorted toSpliced with",
    "CanvasRenderingContext2D.prototype": "roundRect reset",
    "Document.prototype": "startViewTransition",
    "Element.prototype": "checkVisibility getHTML moveBefore setHTMLUnsafe",
    "HTMLElement.prototype": "hidePopover inert showPopover togglePopover",
    "HTMLDialogElement.prototype": "requestClose",
    "HTMLFormElement.prototype": "requestSubmit",
    "HTMLInputElement.prototype": "showPicker",
    Intl: "DurationFormat Segmenter",
    "Iterator.prototype": "drop every filter find flatMap forEach map reduce some take toArray",
    Map: "groupBy",
    "Navigator.prototype": "wakeLock",
    Object: "groupBy",
    Promise: "try withResolvers",
    RegExp: "escape",
    "Set.prototype": "difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union",
    "String.prototype": "isWellFormed toWellFormed",
    Uint8Array: "fromBase64 fromHex",
    "Uint8Array.prototype": "toBase64 toHex",
    URL: "canParse parse",
    globalThis: "CompressionStream DecompressionStream Iterator OffscreenCanvas requestIdleCallback scheduler",
  };
  for (const [owner, names] of Object.entries(younger)) {
    const found = owner.split(".").reduce((one, name) => one?.[name], globalThis);
    for (const name of found ? names.split(" ") : []) delete found[name];
  }
  globalThis.FormData = class extends FormData {
    constructor(form) { super(form); } // and never the button
  };
}
