// Drop a file with this name and text on the page.
([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
}
