// Drag and drop onto the form: the files go where the file field would have put them. Without this script the field does it.
"use strict";
for (const form of document.querySelectorAll("form[data-drop]")) {
  const field = form.querySelector("input[type=file]");
  form.querySelector("[data-drop-hint]").hidden = false;
  const mark = (on) => form.classList.toggle("dragged", on);
  form.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    mark(true);
  });
  form.addEventListener("dragleave", () => mark(false));
  form.addEventListener("drop", (event) => {
    mark(false);
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    field.files = event.dataTransfer.files;
    field.focus();
  });
}
