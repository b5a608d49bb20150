/** Short wooden sounds, made here: nothing is fetched, and nothing sounds unless the visitor asked for it. */

/** @type {AudioContext | null} */
let audio = null;

/** @typedef {"move" | "capture" | "dice" | "refused" | "turn" | "end"} Sound */

/** What each sound is made of: pitch in hertz, length and start in seconds, loudness, and how much of it is noise. */
const KNOCKS = {
  move: [[420, 0.07, 0, 0.5, 0.5]],
  capture: [[300, 0.09, 0, 0.6, 0.5], [210, 0.12, 0.07, 0.5, 0.3]],
  dice: [[900, 0.03, 0, 0.3, 0.9], [760, 0.03, 0.08, 0.35, 0.9], [640, 0.04, 0.17, 0.35, 0.9], [520, 0.06, 0.27, 0.4, 0.7]],
  refused: [[150, 0.1, 0, 0.5, 0.2]],
  turn: [[520, 0.09, 0, 0.3, 0.1]],
  end: [[392, 0.3, 0, 0.3, 0], [494, 0.3, 0.14, 0.3, 0], [587, 0.5, 0.28, 0.3, 0]],
};

/** @param {Sound} name */
export function play(name) {
  if (document.documentElement.dataset.sound !== "on" || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  for (const [pitch, length, start, loud, noise] of KNOCKS[name]) knock(audio, pitch, length, start, loud, noise);
}

/**
 * One knock on wood: a falling tone and a breath of filtered noise.
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} length
 * @param {number} start
 * @param {number} loud
 * @param {number} noise
 */
function knock(context, pitch, length, start, loud, noise) {
  const at = context.currentTime + start;
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud * 0.4, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  gain.connect(context.destination);
  const tone = context.createOscillator();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.7, at + length);
  tone.connect(gain);
  tone.start(at);
  tone.stop(at + length);
  if (!noise) return;
  const samples = context.createBuffer(1, Math.max(1, Math.round(context.sampleRate * length)), context.sampleRate);
  const data = samples.getChannelData(0);
  for (let n = 0; n < data.length; n++) data[n] = (Math.random() * 2 - 1) * noise;
  const breath = context.createBufferSource();
  breath.buffer = samples;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch * 2;
  filter.Q.value = 2;
  breath.connect(filter).connect(gain);
  breath.start(at);
}
