// The sounder: one square wave, as the Pico's pin makes it, heard through a small wooden box.

const LOUD = 0.06;
const SHORTEST_S = 0.03; // a relay's click is shorter than a picture, but must be heard

let context, wave, volume, began = 0;
let muted = localStorage.getItem("muted") === "yes";

export const isMuted = () => muted;

export function mute(yes) {
  muted = yes;
  localStorage.setItem("muted", yes ? "yes" : "no");
  if (yes) tone(0);
}

/** Start the audio, which browsers allow only after a gesture. */
export function wake() {
  if (context) return void context.resume();
  context = new AudioContext();
  wave = new OscillatorNode(context, { type: "square" });
  volume = new GainNode(context, { gain: 0 });
  const box = new BiquadFilterNode(context, { type: "lowpass", frequency: 2400 });
  wave.connect(box).connect(volume).connect(context.destination);
  wave.start();
}

/** Sound, in Hz, until told otherwise; 0 is silence. */
export function tone(hertz) {
  if (!context || (hertz && muted)) return;
  const now = context.currentTime;
  if (hertz) {
    wave.frequency.setValueAtTime(hertz, now);
    volume.gain.cancelScheduledValues(now);
    volume.gain.setTargetAtTime(LOUD, now, 0.002);
    began = now;
  } else {
    volume.gain.setTargetAtTime(0, Math.max(now, began + SHORTEST_S), 0.004);
  }
}
