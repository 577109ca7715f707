package dev.bluebell.server;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.structure.View;
import java.util.BitSet;

/**
 * What the completion queues of one client of a device process are created with (the uid of a
 * command, which the kernel fills in elsewhere), so that the device tells them from those of
 * others. No two clients that live have the same. Thread-safe.
 */
public final class ClientUid implements AutoCloseable {
  private static final int MAX = 0xffff;

  /** Those in use; the device process itself has 0. */
  private static final BitSet USED = new BitSet();

  static {
    USED.set(0);
  }

  private final int number;

  private ClientUid(int number) {
    this.number = number;
  }

  /**
   * Takes one for a client that begins.
   *
   * @throws IllegalStateException when as many clients are there as there are numbers
   */
  public static ClientUid take() {
    synchronized (USED) {
      int free = USED.nextClearBit(0);
      if (free > MAX) {
        throw new IllegalStateException(
            "%d clients use the device process, and there can be no more".formatted(MAX));
      }
      USED.set(free);
      return new ClientUid(free);
    }
  }

  /**
   * Writes the number into a command of the client that creates a completion queue.
   *
   * @return the command, which is another array then
   */
  public byte[] of(byte[] command) {
    if (command.length < CreateCqIn.STRUCTURE.bytes()
        || View.over(command).getInt(CmdIn.OPCODE) != CommandOpcode.CREATE_CQ) {
      return command;
    }
    byte[] own = command.clone();
    View.over(own).set(CreateCqIn.UID, number);
    return own;
  }

  /** The client has ended, and all its objects are gone. Called once. */
  @Override
  public void close() {
    synchronized (USED) {
      USED.clear(number);
    }
  }
}
