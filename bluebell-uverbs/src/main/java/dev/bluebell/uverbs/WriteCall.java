package dev.bluebell.uverbs;

import java.util.Arrays;

/**
 * A write command, sent by write() or by the ioctl that stands for it.
 *
 * @param in the command's own input, at least as long as the command needs
 * @param driverIn the driver's input
 * @param out where the command's output goes in the program
 * @param driverOut where the driver's output goes in the program
 */
record WriteCall(ProgramMemory memory, Fields in, Fields driverIn, Room out, Room driverOut) {

  /** Room in the program's memory. */
  record Room(long address, int bytes) {
    static final Room NONE = new Room(0, 0);
  }

  /** Writes the command's output, or as much of it as the program has room for. */
  void reply(Fields output) {
    write(out, output);
  }

  /** Writes the driver's output, or as much of it as the program has room for. */
  void replyOfDriver(Fields output) {
    write(driverOut, output);
  }

  private void write(Room room, Fields output) {
    if (room.bytes() > 0) {
      memory.write(room.address(), Arrays.copyOf(output.bytes(), room.bytes()));
    }
  }
}
