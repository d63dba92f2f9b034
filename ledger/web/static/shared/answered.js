// The answer to a form gets the address of its page in the history, so that going back or reloading shows that page
// and the browser does not ask whether to send the form again.
history.replaceState(history.state, "", document.currentScript?.dataset.page);
