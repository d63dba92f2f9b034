// What a phone computes: hashes, codes and commitments.
({
  sha256: async (lengths) => {
    const { sha256, hex } = await import("/proof/chain.js");
    const bytes = (length) => Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256);
    return lengths.map((length) => hex(sha256(bytes(length))));
  },
  history: async ([texts, salt, seq]) => {
    const chain = await import("/proof/chain.js");
    const told = [];
    let head = await chain.nightHash(texts[0]);
    for (const text of texts) {
      head = await chain.eventHash(head, text);
      const code = chain.codeOf({ seq, hash: head });
      const read = chain.readCode(code.toLowerCase());
      const own = chain.hex(chain.sha256(new TextEncoder().encode(text)));
      told.push([head, code, read, chain.isOf(read, head), await chain.commitment(salt, text), own]);
    }
    return told;
  },
  refusal: async (text) => (await import("/proof/chain.js")).nightHash(text).then(() => "", (error) => error.message),
  code: async (typed) => (await import("/proof/chain.js")).readCode(typed),
})
