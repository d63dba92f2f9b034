// What answers a form stands in the history as the page that it is about: going back to it, or asking for it again,
// shows that page, and no browser asks whether to send the form a second time.
history.replaceState(history.state, "", document.currentScript.dataset.page);
