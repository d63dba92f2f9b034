async ([night, pages]) => {
  for (const page of pages) await fetch(`${night}/${page}`);
}
