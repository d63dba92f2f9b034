// The answer to the newest question only: an old answer is cleared at once, and one that comes too late is ignored.

/**
 * @template Question
 * @param {(question: Question) => Promise<string>} ask
 * @param {(answer: string) => void} show
 * @param {number} pause milliseconds in which a newer question may come
 */
export function newest(ask, show, pause = 250) {
  let asked = 0;
  /** @param {Question | null} question null: there is nothing to ask */
  return async (question) => {
    const own = ++asked;
    show("");
    if (question === null) return;
    await new Promise((done) => setTimeout(done, pause));
    if (own !== asked) return;
    const answer = await ask(question).catch(() => "");
    if (own === asked) show(answer);
  };
}
