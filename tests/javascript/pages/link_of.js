// The link that a page of the night shows.
async (address) => {
  const text = await (await fetch(address)).text();
  return new DOMParser().parseFromString(text, "text/html").querySelector(".copy input").value;
}
