// Opened from a disk, the page cannot load its modules, so it shows the remedy. `nimatron site` fills in the sentence in each language.

if (location.protocol === "file:") {
  const said = %s;
  const language = [...navigator.languages.map((code) => code.slice(0, 2)), "en"].find((code) => code in said);
  document.documentElement.lang = language;
  document.body.append(Object.assign(document.createElement("p"), { id: "disk", textContent: said[language] }));
}
