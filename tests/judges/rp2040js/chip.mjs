// An RP2040 of npm's rp2040js on the board of a Pico, driven from outside: rp2040js itself is not
// changed. Reads commands, one JSON object per line, on standard input. Answers `run` on standard
// output with the changes since the last answer. See chip.py, which starts this program.
//
// Nothing here depends on the computer's clock: the program never returns to node's event loop,
// so no timer of rp2040js's own ever fires.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { solder } from './flash.mjs';

const FLASH = 0x10000000;
const BLOCK = 512; // bytes of UF2
const WATCHDOG = 0x40058; // keys of rp2040.peripherals
const SOF_WR = 0x50110044; // the number of the next start-of-frame packet
const FRAMES = 1 << 11;
const USB_FRAME = 1e6; // ns
const MOMENT = 500e3; // ns without a change, after which related changes are complete
const RESTLESS = 8e6; // ns after which to look even at a CPU at work: the shortest tone is 12 ms
const WAIT = 250; // system clock cycles: a display's state machine makes one instruction in them
const FUNCTION_SPI = 1;
const FUNCTION_PWM = 4;

const require = createRequire(path.resolve(process.argv[2], 'any.js'));
const { BasePeripheral, RP2040, USBCDC, GPIOPinState, ConsoleLogger, LogLevel } =
  require('rp2040js');

// A chip at one life: a reset makes another one, because rp2040js leaves resets to its user.
class Chip {
  constructor(board, before) {
    this.mcu = new RP2040();
    this.mcu.logger = new ConsoleLogger(LogLevel.Error);
    this.mcu.loadBootrom(board.bootrom); // erases the flash
    this.mcu.flash.set(before ? before.mcu.flash : board.flash);
    solder(this.mcu, BasePeripheral, this.mcu.flash);
    this.clock = this.mcu.clock;
    this.watchdog = this.mcu.peripherals[WATCHDOG];
    this.begun = 0; // in ns since power-up
    this.wasReset = false;
    if (before) {
      this.begun = before.now;
      this.mcu.sram.set(before.mcu.sram);
      this.watchdog.scratchData.set(before.watchdog.scratchData);
      this.watchdog.reason = before.watchdog.reason;
    }
    this.watchdog.onWatchdogTrigger = () => {
      this.watchdog.timer.enable = false; // it would bite again at once, forever
      this.wasReset = true;
    };
    this.cable = new Cable(this, board.received);
    this.pacers = this.mcu.pio.map((pio) => new Pacer(this, pio));
    this.mcu.core.PC = FLASH;
  }

  // Nanoseconds since power-up.
  get now() {
    return this.begun + this.clock.nanos;
  }

  // Run until going() is false.
  run(going) {
    const { clock, pacers } = this;
    const { core } = this.mcu;
    while (going()) {
      if (core.waiting) {
        clock.tick(Math.max(clock.nanosToNextAlarm, 0));
        continue;
      }
      clock.tick((core.executeInstruction() * 1e9) / this.mcu.clkSys);
      for (const pacer of pacers) {
        if (!pacer.pio.stopped) {
          pacer.look();
        }
      }
    }
  }
}

// Steps the state machines of a PIO by the chip's clock and each by its divider. rp2040js itself
// steps them all, enabled or not, from a timer of node's.
class Pacer {
  constructor(chip, pio) {
    this.chip = chip;
    this.pio = pio;
    this.machines = pio.machines.map((machine) => ({ machine, seen: 0, runs: false }));
    for (const paced of this.machines) {
      paced.alarm = chip.clock.createAlarm(() => this.step(paced));
    }
  }

  // Start the machines that have been enabled.
  look() {
    for (const paced of this.machines) {
      if (paced.machine.enabled && !paced.runs) {
        paced.runs = true;
        paced.seen = paced.machine.cycles;
        this.after(paced, 1);
      }
    }
  }

  step(paced) {
    const { machine } = paced;
    paced.runs = machine.enabled;
    if (!paced.runs) {
      return;
    }
    let owed = machine.cycles - paced.seen; // by an instruction that the FIFO has just ended
    if (owed <= 0) {
      machine.step();
      this.pio.checkChangedPins();
      owed = machine.cycles - paced.seen;
    }
    paced.seen = machine.cycles;
    // A waiting machine looks again soon, but not 125 million times a second.
    const rest = machine.waiting ? Math.ceil(WAIT / this.divider(machine)) : 1;
    this.after(paced, Math.max(owed, rest));
  }

  after(paced, cycles) {
    const cycle = this.divider(paced.machine);
    paced.alarm.schedule((cycles * cycle * 1e9) / this.chip.mcu.clkSys);
  }

  divider({ clockDivInt, clockDivFrac }) {
    return (clockDivInt || 65536) + clockDivFrac / 256;
  }
}

// The PC's end of the USB cable: a program that has the port open, and reads.
class Cable {
  constructor(chip, received) {
    this.usb = chip.mcu.usbCtrl;
    this.unsent = [];
    this.parked = null; // the bytes that the firmware is ready to read
    this.host = new USBCDC(this.usb);
    this.host.onSerialData = received;
    // USBCDC answers each poll for data at once, even without data, which would keep the firmware's
    // USB interrupt busy forever. A real host without data stays silent.
    this.usb.onEndpointRead = (endpoint, size) => {
      this.parked = { endpoint, size };
      this.send([]);
    };
    let frame = 0; // rp2040js counts start-of-frame packets only as a host
    const tick = chip.clock.createAlarm(() => {
      frame = (frame + 1) % FRAMES;
      chip.mcu.writeUint32(SOF_WR, frame);
      tick.schedule(USB_FRAME);
    });
    tick.schedule(USB_FRAME);
  }

  send(bytes) {
    this.unsent.push(...bytes);
    if (this.parked && this.unsent.length) {
      const { endpoint, size } = this.parked;
      this.parked = null;
      this.usb.endpointReadDone(endpoint, Uint8Array.from(this.unsent.splice(0, size)));
    }
  }
}

// An oscilloscope, as in emulated/rp2040.py: a frame begins when the first pin is switched on, or
// after 10 ms. `frame` is the last one that came twice in a row. over(changed) follows each.
class Scope {
  static LONGEST = 10e6; // ns
  static ALIKE = 1 / 512; // of a frame

  constructor(chip, gpios, over) {
    this.clock = chip.clock;
    this.over = over;
    this.frame = null;
    this.level = 0;
    this.levels = [];
    this.stays = [];
    this.shown = this.last = [[], []];
    this.since = this.clock.nanos;
    gpios.forEach((gpio, number) => {
      const bit = 1 << gpio;
      chip.mcu.gpio[gpio].addListener((state) => this.edge(bit, state, !number));
    });
    this.timeout = this.clock.createAlarm(() => this.end());
    this.timeout.schedule(Scope.LONGEST);
  }

  edge(bit, state, triggers) {
    this.note();
    if (state === GPIOPinState.High) {
      if (triggers) {
        this.end();
      }
      this.level |= bit;
    } else {
      this.level &= ~bit;
    }
  }

  note() {
    const now = this.clock.nanos;
    if (now !== this.since) {
      this.levels.push(this.level);
      this.stays.push(now - this.since);
      this.since = now;
    }
  }

  end() {
    this.note();
    const frame = [this.levels, this.stays];
    this.levels = [];
    this.stays = [];
    this.timeout.schedule(Scope.LONGEST);
    const changed = !alike(frame, this.shown) && alike(frame, this.last);
    this.last = frame;
    if (changed) {
      this.shown = frame;
      this.frame = frame[0].map((levels, i) => [levels, frame[1][i]]);
    }
    this.over(changed);
  }
}

function alike([levels, stays], [others, theirs]) {
  if (levels.length !== others.length || levels.some((level, i) => level !== others[i])) {
    return false;
  }
  const tolerance = stays.reduce((sum, ns) => sum + ns, 0) * Scope.ALIKE;
  return stays.every((ns, i) => Math.abs(ns - theirs[i]) < tolerance);
}

// The board: the chip, the contents of its flash, and the effect of its pads.
class Board {
  // given: `bootrom` and `uf2` in base64, and numbers of GPIOs: `contacts`, `steady` outputs, which
  // keep their levels for a while, `scanned` and `watching` of the display (see cabinet.py), the
  // `sounder`, and the `dimmer` of the display, if it has one.
  constructor(given) {
    this.given = given;
    const bootrom = Uint8Array.from(Buffer.from(given.bootrom, 'base64'));
    this.bootrom = new Uint32Array(bootrom.buffer);
    this.flash = unpack(Buffer.from(given.uf2, 'base64'));
    this.grounded = new Set();
    this.stopped = false;
    this.sent = [];
    this.edges = [];
    this.received = (bytes) => {
      this.sent.push(...bytes);
      this.stir();
    };
    this.powerUp();
  }

  powerUp(before) {
    this.chip = new Chip(this, before);
    const { mcu, clock } = this.chip;
    this.stirred = null;
    this.polled = null;
    this.ending = clock.createAlarm(() => {
      this.stopped = true;
    });
    this.moment = clock.createAlarm(() => this.momentOver());
    this.scope = new Scope(this.chip, this.given.scanned, (changed) => this.frameOver(changed));
    // A pad reads the level that the chip drives, which rp2040js omits.
    for (const gpio of this.given.scanned) {
      mcu.gpio[gpio].addListener((state) =>
        mcu.gpio[gpio].setInputValue(state === GPIOPinState.High),
      );
    }
    for (const gpio of this.given.steady) {
      mcu.gpio[gpio].addListener(() => this.stir());
    }
    this.unwatch = [];
    this.watch(this.given.watching);
    mcu.spi.forEach((spi, unit) => {
      spi.onTransmit = (byte) => {
        this.spiSends(unit, byte);
        spi.completeTransmit(0);
      };
    });
    for (const gpio of this.given.contacts) {
      mcu.gpio[gpio].addListener(() => this.pull(gpio));
      this.pull(gpio);
    }
    if (before) {
      this.stir();
    }
  }

  // Report each edge at these pins.
  watch(gpios) {
    this.unwatch.forEach((remove) => remove());
    this.given.watching = gpios;
    this.unwatch = gpios.map((gpio) =>
      this.chip.mcu.gpio[gpio].addListener((state) => {
        this.edges.push([gpio, Number(state === GPIOPinState.High), this.chip.now]);
        this.stir();
      }),
    );
  }

  // Let the contact and the pull-up decide the level of a pad.
  pull(gpio) {
    const pin = this.chip.mcu.gpio[gpio];
    const high = !this.grounded.has(gpio) && pin.pullupEnabled;
    if (high !== pin.rawInputValue) {
      pin.setInputValue(high);
    }
  }

  contact(gpio, closed) {
    if (closed) {
      this.grounded.add(gpio);
    } else {
      this.grounded.delete(gpio);
    }
    this.pull(gpio);
  }

  run(us) {
    this.until = us * 1000;
    this.stopped = false;
    while (!this.stopped && this.chip.now < this.until) {
      this.ending.schedule(this.until - this.chip.now);
      this.chip.run(() => !this.stopped && !this.chip.wasReset);
      this.ending.cancel();
      if (this.chip.wasReset) {
        this.powerUp(this.chip);
        return this.report(true);
      }
    }
    return this.report(false);
  }

  report(reset) {
    const { frame } = this.scope;
    this.scope.frame = null;
    const { sent, edges } = this;
    this.sent = [];
    this.edges = [];
    const tone = this.tone(this.given.sounder);
    const low = this.drivenLow(this.given.dimmer);
    this.told = tone + low;
    return {
      us: this.chip.now / 1000,
      cycles: this.chip.mcu.core.cycles,
      steady: this.mask(this.given.steady),
      tone,
      low,
      frame,
      sent: Buffer.from(sent).toString('latin1'),
      edges,
      reset,
      settled: this.stirred === null,
    };
  }

  mask(gpios) {
    const high = gpios.filter((gpio) => this.chip.mcu.gpio[gpio].value === GPIOPinState.High);
    return high.reduce((mask, gpio) => mask | (1 << gpio), 0);
  }

  stir() {
    this.stirred ??= this.chip.now;
    this.moment.schedule(MOMENT);
  }

  momentOver() {
    if (this.chip.mcu.core.waiting || this.chip.now - this.stirred > RESTLESS) {
      this.stirred = null;
      this.stopped = true;
    } else {
      this.moment.schedule(MOMENT);
    }
  }

  frameOver(changed) {
    const polled = this.tone(this.given.sounder) + this.drivenLow(this.given.dimmer);
    // The last report may have been a moment between two frames.
    const rests = this.stirred === null && this.chip.mcu.core.waiting;
    const missed = rests && polled !== this.told;
    if (changed || polled !== this.polled || missed) {
      this.polled = polled;
      this.stir();
    }
  }

  // The frequency of a PWM output in Hz, or 0 if it is stopped.
  tone(gpio) {
    const [channel, high] = this.pwm(gpio);
    if (!channel || high === 0 || high > channel.top) {
      return 0;
    }
    return Math.round(this.chip.mcu.clkSys / channel.timer.prescaler / (channel.top + 1));
  }

  // The share of the time in which a pad is driven low, 0 to 1.
  drivenLow(gpio) {
    const [channel, high] = this.pwm(gpio);
    if (channel) {
      return Math.max(0, 1 - high / (channel.top + 1));
    }
    return Number(this.chip.mcu.gpio[gpio].value === GPIOPinState.Low);
  }

  // The PWM slice that drives a pad, and for how many of its steps the pad is high.
  pwm(gpio) {
    const channel = this.chip.mcu.pwm.channels[(gpio >> 1) & 7];
    if (this.chip.mcu.gpio[gpio].functionSelect !== FUNCTION_PWM || !channel.timer.enable) {
      return [null, 0];
    }
    return [channel, gpio & 1 ? channel.cc >>> 16 : channel.cc & 0xffff];
  }

  // Note the bytes on SPI: rp2040js reports them but does not move the pads.
  spiSends(unit, byte) {
    const pads = {};
    for (const pin of this.chip.mcu.gpio) {
      if (pin.functionSelect === FUNCTION_SPI && ((pin.index >> 3) & 1) === unit) {
        pads[pin.index & 3] = pin.index;
      }
    }
    this.edges.push([pads[2] ?? null, pads[3] ?? null, this.chip.now, byte]);
    this.stir();
  }
}

// The flash contents in a UF2 file.
function unpack(uf2) {
  const flash = new Uint8Array(16 << 20).fill(0xff);
  for (let at = 0; at < uf2.length; at += BLOCK) {
    const size = uf2.readUInt32LE(at + 16);
    flash.set(uf2.subarray(at + 32, at + 32 + size), uf2.readUInt32LE(at + 12) - FLASH);
  }
  return flash;
}

function* lines() {
  const piece = Buffer.alloc(1 << 20);
  let pieces = [];
  for (;;) {
    const count = fs.readSync(0, piece);
    if (!count) {
      return;
    }
    let from = 0;
    for (let at = piece.indexOf(10); at >= 0 && at < count; at = piece.indexOf(10, from)) {
      pieces.push(Buffer.from(piece.subarray(from, at)));
      yield JSON.parse(Buffer.concat(pieces).toString());
      pieces = [];
      from = at + 1;
    }
    pieces.push(Buffer.from(piece.subarray(from, count)));
  }
}

function answer(what) {
  const line = Buffer.from(JSON.stringify(what) + '\n');
  for (let at = 0; at < line.length; ) {
    at += fs.writeSync(1, line, at);
  }
}

let board;
const verbs = {
  power: (given) => {
    board = new Board(given);
  },
  contact: ({ gpio, closed }) => board.contact(gpio, closed),
  bytes: ({ bytes }) => board.chip.cable.send(bytes),
  watch: ({ gpios }) => board.watch(gpios),
  run: ({ us }) => answer(board.run(us)),
  flash: ({ start, size }) =>
    answer(Buffer.from(board.chip.mcu.flash.subarray(start, start + size)).toString('base64')),
};
for (const { verb, ...given } of lines()) {
  verbs[verb](given);
}
process.exit(0);
