// The films of the relays, which the server makes. The page without a server has another film.js.

/** Return the film for a question, as in nimatron_relays/film.py. */
export async function film(question) {
  const answer = await fetch("film", { method: "POST", body: JSON.stringify(question) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
