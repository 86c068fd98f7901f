// The machine's sounds: relays that chatter, small bells for its notes, buttons that give way. All of it is
// synthesised: a relay is a burst of noise in a resonant box, the second one a moment later when the armature bounces.

const RELAY_HZ = 150; // lower tones of the Pico's sounder are its relays
const LOUDEST = 0.9;
const REST_MS = 3000; // after a sound: an audio device that plays silence takes a hundredth of a processor

let context, out, noise, resting = 0;
let level = 0.6, muted = false;

/** The volume, 0 to 1, and true for mute. Both are for this visit. */
export function adjust(volume, mute) {
  level = volume;
  muted = mute;
  if (out) out.gain.setTargetAtTime(loudness(), context.currentTime, 0.02);
}

export const isMuted = () => muted;

const loudness = () => (muted ? 0 : LOUDEST * level ** 2); // as the ear perceives it

/** Start the audio, which browsers allow only after a gesture. */
export function wake() {
  if (context) return run();
  context = new AudioContext();
  out = new GainNode(context, { gain: loudness() });
  out.connect(new DynamicsCompressorNode(context)).connect(context.destination);
  noise = new AudioBuffer({ length: context.sampleRate / 10, sampleRate: context.sampleRate });
  const samples = noise.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  run();
}

/** Keep the audio running while anything may sound. */
function run() {
  context.resume();
  clearTimeout(resting);
  resting = setTimeout(() => context.suspend(), REST_MS);
}

/** True if a sound is audible. */
function heard() {
  if (!context || muted) return false;
  run();
  return true;
}

/** The Pico's sounder, in Hz. 0 is silence. */
export function tone(hertz) {
  if (!hertz || !heard()) return;
  if (hertz < RELAY_HZ) chatter();
  else bell(hertz);
}

/** One tick of the machine's thought: a few relays, here and there in the cabinet. */
function chatter() {
  const many = 2 + Math.floor(Math.random() * 3);
  for (let n = 0; n < many; n++) relay(context.currentTime + n * 0.02 + Math.random() * 0.018);
}

/** One armature that strikes. pan: where it is, from -1 (left) to 1. */
export function click(pan) {
  if (heard()) relay(context.currentTime, pan);
}

function relay(at, pan = Math.random() * 1.4 - 0.7) {
  const where = new StereoPannerNode(context, { pan });
  where.connect(out);
  const hard = 0.5 + Math.random() / 2;
  const brass = 1900 + Math.random() * 1500;
  burst(at, 0.012, brass, 9, 1.3 * hard, where); // the armature strikes
  burst(at, 0.03, 330 + Math.random() * 90, 5, 1.1 * hard, where); // the rack answers
  burst(at + 0.007 + Math.random() * 0.006, 0.007, brass * 1.6, 12, 0.6 * hard, where); // and bounces
}

/** A burst of noise in a resonance that dies away. */
function burst(at, seconds, hertz, sharpness, volume, to) {
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const box = new BiquadFilterNode(context, { type: "bandpass", frequency: hertz, Q: sharpness });
  source.connect(box).connect(decay(at, seconds, volume)).connect(to);
  source.start(at, Math.random() * 0.05);
  source.stop(at + seconds * 5);
}

/** A small bell: three partials of a bar of brass. */
function bell(hertz) {
  const at = context.currentTime;
  for (const [partial, volume, seconds] of [[1, 0.22, 0.22], [2.76, 0.07, 0.09], [5.4, 0.03, 0.04]]) {
    const bar = new OscillatorNode(context, { frequency: hertz * partial });
    bar.connect(decay(at, seconds, volume)).connect(out);
    bar.start(at);
    bar.stop(at + seconds * 5);
  }
}

function decay(at, seconds, volume) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.001);
  gain.gain.setTargetAtTime(0, at + 0.001, seconds);
  return gain;
}

/** A button or a lamp's glass under a finger. */
export function thud() {
  if (!heard()) return;
  burst(context.currentTime, 0.02, 190, 3, 1.2, out);
  burst(context.currentTime, 0.004, 2600, 4, 0.5, out);
}

/** A token falls into its cup. */
export function clink() {
  if (!heard()) return;
  [0, 0.13, 0.22, 0.27].forEach((after, n) => setTimeout(bell, after * 1000, 2900 - n * 130));
}
