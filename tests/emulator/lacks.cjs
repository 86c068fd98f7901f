// What rp2040js does otherwise than an RP2040, each as the smallest program that shows it, one
// line of JSON. Usage: node lacks.cjs FOLDER, whose node_modules has it.
const { createRequire } = require('node:module');
const { RP2040, USBCDC, ConsoleLogger, LogLevel } = createRequire(`${process.argv[2]}/any.js`)(
  'rp2040js',
);

function chip() {
  const mcu = new RP2040();
  mcu.logger = new ConsoleLogger(LogLevel.Error);
  return mcu;
}

const PIO = 0x50200000;
const seen = {};

{
  const mcu = chip(); // `set x, 1` over and over, 65,536 cycles for each, no time passes
  for (let i = 0; i < 32; i++) mcu.writeUint32(PIO + 0x48 + 4 * i, 0xe021);
  mcu.writeUint32(PIO + 0xc8, 0); // SM0_CLKDIV
  mcu.writeUint32(PIO, 1); // CTRL: enable SM0
  seen.pioStepsInNoTime = mcu.pio[0].machines[0].cycles;
  seen.disabledMachineSteps = mcu.pio[0].machines[1].cycles;
  mcu.pio[0].stop();
}
{
  const mcu = chip();
  mcu.flash[0] = 1;
  mcu.writeUint32(0xd0000014, 1 << 6); // GPIO_OUT_SET
  mcu.reset();
  seen.resetErasesFlash = mcu.flash[0] === 0xff;
  seen.resetLeavesOutputs = mcu.readUint32(0xd0000010) === 1 << 6;
}
{
  const mcu = chip();
  seen.ioQspi = mcu.readUint32(0x4001800c); // GPIO_QSPI_SS_CTRL, 0 after a reset
  mcu.writeUint32(0x18000060, 0x9f); // the flash's JEDEC id
  seen.flashAnswers = mcu.readUint32(0x18000060);
  seen.randomBits = mcu.readUint32(0x4006001c); // ROSC RANDOMBIT
}
{
  const mcu = chip();
  mcu.clock.tick(10e6);
  seen.startOfFrame = mcu.readUint32(0x50110048);
}
{
  const mcu = chip();
  const host = new USBCDC(mcu.usbCtrl);
  host.outEndpoint = 2;
  mcu.writeUint32(0x50100094, 0x440); // OUT buffer of endpoint 2 is available, 64 bytes
  mcu.clock.tick(20e3);
  seen.answerWithoutData = mcu.readUint32(0x50110058) === 1 << 5; // BUFF_STATUS
}
{
  const mcu = chip();
  mcu.writeUint32(0x4001c004 + 4 * 13, 0x4a); // PADS_BANK0 GPIO13: input, pull-up
  seen.pulledUp = (mcu.readUint32(0xd0000004) >> 13) & 1;
}
{
  const mcu = chip();
  mcu.gpio[13].setInputValue(false); // as it was
  seen.edgeWithoutChange = !!(mcu.readUint32(0x400140f4) & (1 << 22)); // INTR1 GPIO13_EDGE_LOW
}
{
  const mcu = chip();
  mcu.writeUint32(0x50000420, (1 << 16) | 10); // DMA TIMER0: one in ten cycles
  seen.dmaTimerCycles = mcu.dma.getTimer(0x3b) * 125;
}
console.log(JSON.stringify(seen));
process.exit(0);
