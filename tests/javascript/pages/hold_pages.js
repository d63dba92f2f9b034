// The server's answers to this page are held back, which `data-held` tells, until `release()` is called.
() => {
  const { fetch } = window;
  window.fetch = async (...what) => {
    const answer = await fetch(...what);
    await new Promise((release) => {
      window.release = release;
      document.body.dataset.held = "yes";
    });
    return answer;
  };
}
