package dev.bluebell.uverbs.call;

import dev.bluebell.hca.structure.View;
import java.util.Arrays;

/**
 * A write command, sent by write() or by the equivalent ioctl.
 *
 * @param in the command's own input, at least as long as the command needs
 * @param driverIn the driver's input, of any length
 * @param out where the command's output goes in the client
 * @param driverOut where the driver's output goes in the client
 */
public record WriteCall(ClientMemory memory, View in, View driverIn, Room out, Room driverOut) {

  /** Room in the client's memory. */
  public record Room(long address, int bytes) {
    static final Room NONE = new Room(0, 0);
  }

  /** Writes the command's output, truncated to the client's room. */
  public void reply(View output) {
    write(out, output);
  }

  /** Writes the driver's output, truncated to the client's room. */
  public void replyOfDriver(View output) {
    write(driverOut, output);
  }

  private void write(Room room, View output) {
    if (room.bytes() > 0) {
      memory.write(room.address(), Arrays.copyOf(output.bytes(), room.bytes()));
    }
  }
}
