package dev.bluebell.server;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.structure.View;
import java.util.BitSet;

/**
 * The uid with which one client of a device process creates its completion queues (on a card, the
 * kernel fills it into commands). The device uses it to tell clients apart; it is unique among live
 * clients. Thread-safe.
 */
public final class ClientUid implements AutoCloseable {
  private static final int MAX = 0xffff;

  /** Uids in use; the device process itself has 0. */
  private static final BitSet USED = new BitSet();

  static {
    USED.set(0);
  }

  private final int number;

  private ClientUid(int number) {
    this.number = number;
  }

  /**
   * Allocates a uid for a new client.
   *
   * @throws IllegalStateException when all uids are in use
   */
  public static ClientUid take() {
    synchronized (USED) {
      int free = USED.nextClearBit(0);
      if (free > MAX) {
        throw new IllegalStateException(
            "%d clients use the device process, which is the maximum".formatted(MAX));
      }
      USED.set(free);
      return new ClientUid(free);
    }
  }

  /**
   * Writes the uid into a client's command if it creates a completion queue.
   *
   * @return the command; a copy when the uid was written
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

  /** Frees the uid once the client has ended and all its objects are gone. Called once. */
  @Override
  public void close() {
    synchronized (USED) {
      USED.clear(number);
    }
  }
}
