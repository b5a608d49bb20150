/** The record that another library hands over stands at the end of the address; it is shown, and taken only when it is sent. */

const given = new URLSearchParams(location.hash.slice(1)).get("record");
const field = /** @type {HTMLTextAreaElement} */ (document.getElementById("take-record"));
if (given && !field.value) {
  field.value = given;
  history.replaceState(null, "", location.pathname);
}
