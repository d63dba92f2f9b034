// What the tabs of a phone tell one another about a night.

// `hear` is called with whatever another tab posts. A browser without channels tells it through what is written into
// localStorage; where that is denied, too, a tab finds what another has kept when it sends the next time.
/** @type {(night: string, hear: (data: any) => unknown) => {post: (data: any) => void}} */
export function tabs(night, hear) {
  const name = `tienlen tabs ${night}`;
  if ("BroadcastChannel" in window) {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }) => hear(data));
    return { post: (data) => channel.postMessage(data) };
  }
  addEventListener("storage", ({ key, newValue }) => key === name && newValue && hear(JSON.parse(newValue)));
  return { post: (data) => write(name, data) };
}

function write(name, data) {
  try {
    localStorage.setItem(name, JSON.stringify(data));
  } catch {
    // See above.
  }
}
