package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Hand-written programs. */
final class HandMade {
  static final long CELLS = 0x10000;
  static final int CELLS_KEY = 0x77;
  static final long CLIENT = 0x20000;
  static final int CLIENT_KEY = 0x99;

  /** The value that the conditions compare with, 7 bytes, in host order. */
  static final long Y = 0x11223344556677L;

  private static final int RESULT = 64;
  private static final int ANSWER = 128;

  private HandMade() {}

  private static ImageBuilder builder(byte[] cells) {
    return new ImageBuilder()
        .region("cells", CELLS, CELLS_KEY, cells)
        .clientRegion("client", CLIENT, CLIENT_KEY, 64);
  }

  private static byte[] cells() {
    byte[] cells = new byte[256];
    for (int i = 0; i < 64; i++) {
      cells[ANSWER + i] = (byte) (i + 1);
    }
    return cells;
  }

  static Message message(long x) {
    byte[] bytes = new byte[8];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(x);
    return new Message(0x40, java.util.Arrays.copyOf(bytes, 7));
  }

  /**
   * Answers when x = Y: the flag of a scratch word becomes the opcode, and is copied over that of
   * the answer.
   */
  static ProgramImage checkedCondition() {
    ImageBuilder image = builder(cells());
    QueueBuilder client = image.queue("client", Queue.CLIENT, true, 2);
    QueueBuilder main = image.queue("main", 0x41, false, 3);
    client.receive(CELLS_KEY, CELLS, 7);
    client.signalled().conditionalWrite(CLIENT, CLIENT_KEY, 8, CELLS + ANSWER, CELLS_KEY);
    long swap = Y | (long) WqeOpcode.RDMA_WRITE << 56;
    main.waitFor(client.receiveCq(), 0)
        .compareAndSwap(CELLS, CELLS_KEY, Y, swap, CELLS + RESULT, CELLS_KEY)
        .fenced()
        .signalled()
        .write(client.address(0, 3), client.key, 1, CELLS + 7, CELLS_KEY)
        .waitFor(main.sendCq(), 0)
        .enable(client, 1);
    return image.entry(client, 7).build();
  }

  /** Copies the result of a READ after {@code others} further READs, without waiting for any. */
  static ProgramImage copyBehindReads(int others) {
    ImageBuilder image = builder(cells());
    QueueBuilder main = image.queue("main", 0x40, false, 7);
    main.read(CELLS + ANSWER, CELLS_KEY, 8, CELLS + RESULT, CELLS_KEY);
    for (int i = 0; i < others; i++) {
      main.read(CELLS + ANSWER, CELLS_KEY, 8, CELLS + RESULT + 8, CELLS_KEY);
    }
    main.write(CELLS, CELLS_KEY, 8, CELLS + RESULT, CELLS_KEY);
    return image.build();
  }

  /** Copies the result of the later of two READs, when both are complete. */
  static ProgramImage readsToOnePlace() {
    ImageBuilder image = builder(cells());
    image
        .queue("main", 0x40, false, 7)
        .read(CELLS + ANSWER, CELLS_KEY, 8, CELLS + RESULT, CELLS_KEY)
        .read(CELLS + ANSWER + 8, CELLS_KEY, 8, CELLS + RESULT, CELLS_KEY)
        .fenced()
        .write(CELLS, CELLS_KEY, 8, CELLS + RESULT, CELLS_KEY);
    return image.build();
  }

  /** Answers when x = Y: x is in the index and the queue number of the answer itself. */
  static ProgramImage uncheckedCondition() {
    ImageBuilder image = builder(cells());
    QueueBuilder client = image.queue("client", Queue.CLIENT, true, 2);
    QueueBuilder main = image.queue("main", 0x41, false, 3);
    client.receive(client.key, client.address(0, 1), 2, client.address(0, 4), 3);
    client.signalled().conditionalWrite(CLIENT, CLIENT_KEY, 8, CELLS + ANSWER, CELLS_KEY);
    long compare = 0x0300_0000_0000_0000L | 0x556677L << 32 | 0x1122L << 8;
    long swap = compare | (long) WqeOpcode.RDMA_WRITE << 24;
    main.waitFor(client.receiveCq(), 0)
        .signalled()
        .compareAndSwap(client.address(0, 0), client.key, compare, swap, CELLS + RESULT, CELLS_KEY)
        .waitFor(main.sendCq(), 0)
        .enable(client, 1);
    return image.entry(client, 5).build();
  }

  /** The message with x = Y for {@link #uncheckedCondition}. */
  static Message uncheckedEqual() {
    return new Message(0x40, new byte[] {0x22, 0x11, 0x77, 0x66, 0x55});
  }

  /** Answers with the number of the constant that equals x, after comparing all of them. */
  static ProgramImage unrolledLoop(int laps) {
    ImageBuilder image = builder(cells());
    QueueBuilder client = image.queue("client", Queue.CLIENT, true, 4);
    QueueBuilder main = image.queue("main", 0x41, false, 6);
    client.receive(CELLS_KEY, CELLS, 7);
    main.waitFor(client.receiveCq(), 0);
    for (int i = 0; i < laps; i++) {
      client.signalled().conditionalWrite(CLIENT, CLIENT_KEY, 1, CELLS + ANSWER + i, CELLS_KEY);
      long swap = Y + i | (long) WqeOpcode.RDMA_WRITE << 56;
      main.compareAndSwap(CELLS, CELLS_KEY, Y + i, swap, CELLS + RESULT + 8L * i, CELLS_KEY)
          .fenced()
          .signalled()
          .write(client.address(i, 3), client.key, 1, CELLS + 7, CELLS_KEY)
          .waitFor(main.sendCq(), i)
          .enable(client, i + 1)
          // The flag is for the next lap.
          .write(CELLS + 7, CELLS_KEY, 1, CELLS + RESULT + 63, CELLS_KEY);
    }
    return image.entry(client, 7).build();
  }

  /** The same, but continues only while no constant was equal. */
  static ProgramImage breakingLoop(int laps) {
    byte[] cells = cells();
    cells[6] = WqeOpcode.SEND_EN;
    ImageBuilder image = builder(cells);
    QueueBuilder client = image.queue("client", Queue.CLIENT, true, 4);
    QueueBuilder main = image.queue("main", 0x41, false, 3);
    QueueBuilder lap = image.queue("lap", 0x42, true, 6);
    QueueBuilder again = image.queue("again", 0x43, true, 3);
    client.receive(CELLS_KEY, CELLS, 6);
    main.waitFor(client.receiveCq(), 0).enable(lap, 6);
    for (int i = 0; i < laps; i++) {
      client.signalled().conditionalWrite(CLIENT, CLIENT_KEY, 1, CELLS + ANSWER + i, CELLS_KEY);
      long x = (Y + i) & 0xffffffffffffL;
      long compare = x | (long) WqeOpcode.SEND_EN << 48;
      long swap = x | (long) WqeOpcode.RDMA_WRITE << 56;
      lap.compareAndSwap(CELLS, CELLS_KEY, compare, swap, CELLS + RESULT + 8L * i, CELLS_KEY)
          .fenced()
          .signalled()
          .write(client.address(i, 3), client.key, 1, CELLS + 7, CELLS_KEY);
      if (i < laps - 1) {
        lap.signalled().write(again.address(i, 3), again.key, 1, CELLS + 6, CELLS_KEY);
      }
      lap.waitFor(lap.sendCq(), Math.min(2 * i + 1, 2 * laps - 2)).enable(client, i + 1);
      if (i < laps - 1) {
        lap.enable(again, i + 1);
        again.enable(lap, i < laps - 2 ? 6 * (i + 2) : 6 * laps - 2);
      }
    }
    return image.entry(client, 6).build();
  }

  /**
   * Two queues that enable each other for ever. Each first advances the index in the other's
   * enable: with rings of 256 WQEBBs by one byte, with small rings by a sum that carries in the
   * wrong direction.
   */
  static ProgramImage recycled(boolean large) {
    ImageBuilder image = builder(cells());
    int logSlots = large ? 8 : 2;
    int slots = 1 << logSlots;
    QueueBuilder client = image.queue("client", Queue.CLIENT, true, 2);
    QueueBuilder main = image.queue("main", 0x41, false, 3);
    QueueBuilder ping = image.queue("ping", 0x42, true, logSlots);
    QueueBuilder pong = image.queue("pong", 0x43, true, logSlots);
    client.receive(CELLS_KEY, CELLS, 8);
    main.waitFor(client.receiveCq(), 0).enable(ping, slots);
    bump(ping, pong, large).fenced().enable(pong, slots).fill();
    bump(pong, ping, large).fenced().enable(ping, slots).fill();
    return image.entry(client, 8).build();
  }

  private static QueueBuilder bump(QueueBuilder in, QueueBuilder other, boolean large) {
    long enable = other.address(1, 24);
    return large
        ? in.maskedFetchAndAdd(enable, other.key, 1L << 16, 1L << 23, CELLS + RESULT, CELLS_KEY)
        : in.fetchAndAdd(enable, other.key, 4L << 24, CELLS + RESULT, CELLS_KEY);
  }

  /** Copies a cell to an address that the client sends. */
  static ProgramImage store(boolean apart) {
    ImageBuilder image =
        builder(cells()).region("table", CELLS + 0x1000, CELLS_KEY + 1, new byte[64]);
    QueueBuilder client = image.queue("client", Queue.CLIENT, true, 2);
    QueueBuilder main = image.queue("main", 0x41, false, 3);
    QueueBuilder worker = image.queue("worker", 0x42, true, 2);
    client.receive(worker.key, worker.address(0, 16), 8);
    client.signalled().write(CLIENT, CLIENT_KEY, 8, CELLS + ANSWER, CELLS_KEY);
    int key = apart ? CELLS_KEY + 1 : CELLS_KEY;
    worker.signalled().write(0, key, 8, CELLS + ANSWER, CELLS_KEY);
    main.waitFor(client.receiveCq(), 0)
        .enable(worker, 1)
        .waitFor(worker.sendCq(), 0)
        .enable(client, 1);
    return image.entry(client, 8).build();
  }

  static Message breaking(long x) {
    return new Message(0x40, java.util.Arrays.copyOf(message(x).bytes(), 6));
  }
}
