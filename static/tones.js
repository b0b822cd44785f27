// @ts-check
/** Sounds, synthesized in the browser. */

/** An event with a sound. @typedef {"move" | "capture" | "check" | "bid" | "join" | "offer" | "end" | "low" | "drop"} Event */

/** Notes of each sound: frequency in hertz and start in seconds. @type {Record<Event, [number, number][]>} */
const NOTES = {
  move: [[440, 0]],
  capture: [[330, 0], [294, 0.05]],
  check: [[660, 0], [880, 0.09]],
  bid: [[554, 0]],
  join: [[523, 0], [659, 0.11], [784, 0.22]],
  offer: [[587, 0], [587, 0.14]],
  end: [[523, 0], [392, 0.15], [262, 0.3]],
  low: [[988, 0], [988, 0.12], [988, 0.24]],
  drop: [[220, 0]],
};
/** Length of a note in seconds. */
const LENGTH = 0.15;

/** Plays the sound of an event. @param {AudioContext} sound @param {Event} event */
export function ring(sound, event) {
  for (const [pitch, after] of NOTES[event]) {
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    const begin = sound.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.15, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    tone.connect(volume).connect(sound.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH);
  }
}
