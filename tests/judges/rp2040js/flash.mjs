// The flash chip of a Pico, a Winbond W25Q16JV (data sheet, chapter 8), on the pins of an RP2040 of
// rp2040js, which has no flash chip: it drops the commands, and its memory map has no IO_QSPI, so
// MicroPython takes each erase and each write for aborted.

const SSI = 0x18000; // keys of rp2040.peripherals
const IO_QSPI = 0x40018;
const DR0 = 0x60;
const RXFLR = 0x24;
const SR = 0x28;
const SR_RFNE = 1 << 3;
const SS_CTRL = 0x0c;
const OUTOVER = 0x300;
const DRIVEN_LOW = 2;
const DRIVEN_HIGH = 3;

const PROGRAM = 0x02;
const READ_STATUS = 0x05;
const WRITE_ENABLE = 0x06;
const ERASES = { 0x20: 4096, 0xd8: 65536 };
const PAGE = 256;
const WRITABLE = 1 << 1; // in the status

// Put it on the pins. rp2040js itself reads `content`.
export function solder(mcu, BasePeripheral, content) {
  const flash = new Flash(content);
  const stock = mcu.peripherals[SSI];

  class Ssi extends BasePeripheral {
    answers = []; // to what was sent while a program, not the SSI itself, drives chip select

    readUint32(offset) {
      if (flash.held) {
        const { length } = this.answers;
        switch (offset) {
          case DR0:
            return this.answers.shift() ?? 0;
          case RXFLR:
            return length;
          case SR:
            return (stock.readUint32(SR) & ~SR_RFNE) | (length ? SR_RFNE : 0);
        }
      }
      return stock.readUint32(offset);
    }

    writeUint32(offset, value) {
      if (flash.held && offset === DR0) {
        this.answers.push(flash.shift(value & 0xff));
      } else {
        this.answers = [];
        stock.writeUint32(offset, value);
      }
    }
  }

  class IoQspi extends BasePeripheral {
    registers = new Uint32Array(16);

    readUint32(offset) {
      return this.registers[offset >> 2];
    }

    writeUint32(offset, value) {
      this.registers[offset >> 2] = value;
      if (offset === SS_CTRL) {
        flash.select((value & OUTOVER) >> 8);
      }
    }
  }

  mcu.peripherals[SSI] = new Ssi(mcu, 'SSI');
  mcu.peripherals[IO_QSPI] = new IoQspi(mcu, 'IO_QSPI');
}

class Flash {
  constructor(content) {
    this.content = content;
    this.held = false; // chip select is driven, high or low
    this.selected = false;
    this.writable = false;
    this.command = [];
  }

  // Chip select is driven so, by IO_QSPI's override.
  select(override) {
    if (this.selected) {
      this.execute();
    }
    this.selected = override === DRIVEN_LOW;
    this.held = this.selected || override === DRIVEN_HIGH;
    this.command = [];
  }

  // Take a byte, and give one back.
  shift(byte) {
    if (!this.selected) {
      return 0xff;
    }
    this.command.push(byte);
    if (this.command[0] === READ_STATUS && this.command.length > 1) {
      return this.writable ? WRITABLE : 0; // never busy
    }
    return 0xff;
  }

  execute() {
    const [code, high, middle, low, ...data] = this.command;
    if (code === WRITE_ENABLE) {
      this.writable = true;
      return;
    }
    const size = ERASES[code];
    const address = (high << 16) | (middle << 8) | low;
    if (size && this.writable) {
      const start = address - (address % size);
      this.content.fill(0xff, start, start + size);
    } else if (code === PROGRAM && this.writable) {
      const page = address - (address % PAGE);
      data.forEach((byte, i) => {
        this.content[page + ((address + i) % PAGE)] &= byte;
      });
    } else {
      return;
    }
    this.writable = false;
  }
}
