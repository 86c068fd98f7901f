// Everything is fetched once, and then the page works without a network. The line before this one names the release, CACHE, its FILES and the files that come LATER.

const OURS = `nimatron ${registration.scope} `; // other folders of the site may also have caches
const NAME = OURS + CACHE;

addEventListener("install", (event) => {
  event.waitUntil(keep(FILES).then(() => skipWaiting()));
});

/** The page has begun its show: now there is time for the less important files. */
addEventListener("message", (event) => event.waitUntil(keep(LATER)));

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith(OURS) && name !== NAME));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(registration.scope)) return;
  event.respondWith(answer(event.request));
});

/** Keep the files that are not kept yet. */
async function keep(files) {
  const cache = await caches.open(NAME);
  const kept = await Promise.all(files.map((file) => cache.match(file)));
  await cache.addAll(files.filter((_, at) => !kept[at]).map((file) => new Request(file, { cache: "no-cache" })));
}

/** Answer with the kept file. Keep a file that is not kept yet. */
async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const fetched = await fetch(request);
  if (fetched.ok) cache.put(request, fetched.clone());
  return fetched;
}
