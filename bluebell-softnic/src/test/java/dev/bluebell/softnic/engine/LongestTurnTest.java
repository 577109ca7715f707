package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The longest turn of each operation in its most expensive shape: memory of another process in
 * pieces of one byte, at both ends. Counts the pieces that a client moves between two turns of
 * another.
 */
class LongestTurnTest {
  private static final int BYTES = 1 << 20;
  private static final int BASE = 1 << 12;
  private static final int STEPS = 20;
  private static final int LOG_QUEUE = 4;
  private static final int RC = 0;
  private static final int UC = 1;
  private static final int UD = 2;
  private static final int REQUESTS = 4;
  private static final int STEADY = 4;

  /**
   * Pieces of the longest turn: those of one train of 16 KiB, each read and written. Such a train
   * is rare; other turns have one packet each.
   */
  private static final int LONGEST = 2 * (16 << 10);

  private static final int GRH_BYTES = 40;

  /** Pieces of a usual turn: a packet of 4 KiB, and the header before a datagram. */
  private static final int USUAL = 2 * (4 << 10) + GRH_BYTES;

  /**
   * Pieces of the longest command: as many as cost what 16 MiB do, and one train of 64 KiB, because
   * no other client has had a turn lately.
   */
  private static final int PIECES_OF_A_COMMAND = (64 << 10) + 2 * (64 << 10);

  private static final int MANY_PAIRS = 8;

  /** Entries of the longest list in a UMR. */
  private static final int ENTRIES = 0xfffc;

  private final Rig device = Rigs.open();
  private final Rig attacker = client();
  private final Rig victim = client();
  private final Memory pieces = new Memory(() -> {});
  private final Memory beats = new Memory(this::beat);
  private final RawWindow interleaved = new RawWindow(attacker);
  private final RawPair steady = pair(victim, UC);
  private final int steadyKey = register(victim, beats);
  private int atLastBeat;
  private int longest;
  private int longTurns;

  private Rig client() {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  @AfterEach
  void close() {
    attacker.close();
    victim.close();
    device.close();
  }

  /** Memory of another process that counts the accesses to it. */
  private static final class Memory implements HcaForeignMemory {
    private final MemorySegment bytes = Arena.ofAuto().allocate(2 * BYTES);
    private final Runnable reached;
    private int count;

    Memory(Runnable reached) {
      this.reached = reached;
    }

    @Override
    public boolean read(long address, long to, int length) {
      count++;
      reached.run();
      here(to, length).copyFrom(bytes.asSlice(address - BASE, length));
      return true;
    }

    @Override
    public boolean write(long address, long from, int length) {
      count++;
      reached.run();
      bytes.asSlice(address - BASE, length).copyFrom(here(from, length));
      return true;
    }

    private static MemorySegment here(long address, int length) {
      return MemorySegment.ofAddress(address).reinterpret(length);
    }
  }

  private static int register(Rig of, Memory memory) {
    return of.nic()
        .hosting()
        .orElseThrow()
        .registerMemory(of.domain(), memory, BASE, memory.bytes.byteSize(), BASE, HcaAccess.ALL)
        .lkey();
  }

  /** A key that takes every second byte, each a piece of its own. */
  private int interleave() {
    RawQp qp = attacker.pair().left();
    int behind = register(attacker, pieces);
    qp.post(interleaved.layout(BYTES).repeat(1, BYTES, 1).piece(2, 1, behind, BASE).wqe());
    device.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    return interleaved.key(0);
  }

  /** A request that moves memory in pieces of one byte. */
  private enum Shape {
    WRITE(RC, BYTES),
    READ(RC, BYTES),
    SEND(RC, BYTES),
    WRITE_OF_A_UC(UC, BYTES),
    SEND_OF_A_UC(UC, BYTES),
    DATAGRAM(UD, 4096),
    COPY(RC, BYTES);

    private final int service;
    private final int bytes;

    boolean isReceived() {
      return this == SEND || this == SEND_OF_A_UC || this == DATAGRAM;
    }

    Shape(int service, int bytes) {
      this.service = service;
      this.bytes = bytes;
    }

    private Wqe wqe(RawPair pair, int key, RawMemory opaque) {
      Wqe request =
          switch (this) {
            case WRITE, WRITE_OF_A_UC -> new Wqe(WqeOpcode.RDMA_WRITE).remote(0, key);
            case READ -> new Wqe(WqeOpcode.RDMA_READ).remote(0, key);
            case SEND, SEND_OF_A_UC -> Wqe.send();
            case DATAGRAM -> Wqe.datagram(pair.right(), Addresses.LINK_LOCAL);
            case COPY ->
                new Wqe(WqeOpcode.MMO)
                    .opmod(WqeForm.MMO_DMA)
                    .words(opaque.key(), opaque.address(0))
                    .data(0, bytes, key);
          };
      return request.data(0, bytes, key).unsignalled();
    }
  }

  /** Another client has a turn. */
  private void beat() {
    int between = pieces.count - atLastBeat;
    atLastBeat = pieces.count;
    longest = Math.max(longest, between);
    longTurns += between > USUAL ? 1 : 0;
  }

  private static RawPair pair(Rig of, int service) {
    return RawPair.connect(qp(of, service), qp(of, service), new Settings());
  }

  private RawPair pair(Shape shape) {
    if (shape == Shape.COPY) {
      RawQp left = qp(attacker, RC);
      RawQp right = qp(attacker, RC);
      left.connect(right.number(), new Settings(), true);
      return new RawPair(left, right);
    }
    return pair(attacker, shape.service);
  }

  private static RawQp qp(Rig of, int service) {
    return of.qp(new RawQpPlan(of.cq(6)).service(service).sizes(LOG_QUEUE, LOG_QUEUE, 4));
  }

  @ParameterizedTest
  @EnumSource
  void aTurnMovesALimitedNumberOfPieces(Shape shape) {
    int key = interleave();
    RawMemory opaque = attacker.memory(64);
    RawPair pair = pair(shape);
    for (int i = 0; i < REQUESTS; i++) {
      if (shape.isReceived()) {
        pair.right().receive(0, shape.bytes + GRH_BYTES, key);
      }
      pair.left().post(shape.wqe(pair, key, opaque));
    }
    runBesideAnother();
    assertThat(pieces.count).as("pieces that were moved").isGreaterThan(USUAL);
    assertThat(longest).isLessThanOrEqualTo(LONGEST);
    assertThat(longTurns).isLessThanOrEqualTo(1);
  }

  @Test
  void aTurnChangesAtMostTwoKeysWithLongLists() {
    RawWindow list = new RawWindow(attacker, ENTRIES, context -> {});
    int key = register(attacker, pieces);
    RawQp qp = attacker.pair().left();
    for (int i = 0; i < REQUESTS; i++) {
      qp.post(list.layout(BYTES).flags(0).octowords(ENTRIES).head().data(BASE, BYTES, key));
    }
    runBesideAnother();
    assertThat(pieces.count).as("lists that were read").isEqualTo(REQUESTS);
    // One when the next begins, and one when nothing is left that goes before it.
    assertThat(longest).isLessThanOrEqualTo(2);
  }

  @Test
  void aTurnReadsNoLongListInPiecesOfOneByte() {
    int key = interleave();
    RawWindow list = new RawWindow(attacker, ENTRIES, context -> {});
    RawQp qp = attacker.pair().left();
    int refused =
        qp.post(list.layout(BYTES).flags(0).octowords(ENTRIES).head().data(0, BYTES, key));
    runBesideAnother();
    assertThat(pieces.count).isZero();
    qp.sends()
        .pollOne()
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR,
            refused,
            "klm_octowords is 65532",
            "memory key 0x%x, which names other keys".formatted(key),
            "at most 256 octowords");
  }

  @Test
  void aShortListMayBeReadInPiecesOfOneByte() {
    int key = interleave();
    RawWindow list = new RawWindow(attacker, ENTRIES, context -> {});
    RawQp qp = attacker.pair().left();
    int done = qp.post(list.layout(BYTES).flags(0).octowords(256).head().data(0, 4096, key));
    runBesideAnother();
    assertThat(pieces.count).isEqualTo(4096);
    qp.sends().pollOne().require(CqeOpcode.REQ, done);
  }

  @Test
  void aCommandMovesALimitedNumberOfPiecesFirst() {
    int key = interleave();
    RawMemory opaque = attacker.memory(64);
    RawMemory destroyed = attacker.memory(64);
    for (int i = 0; i < MANY_PAIRS; i++) {
      RawPair pair = pair(Shape.WRITE);
      pair.left().post(Shape.WRITE.wqe(pair, key, opaque));
    }
    destroyed.registration().close();
    assertThat(pieces.count).isBetween(1, PIECES_OF_A_COMMAND);
  }

  private void runBesideAnother() {
    for (int i = 0; i < STEADY; i++) {
      steady
          .left()
          .post(new Wqe(WqeOpcode.RDMA_WRITE).remote(BASE, steadyKey).data(BASE, BYTES, steadyKey));
    }
    for (int step = 0; step < STEPS; step++) {
      device.nic().step();
    }
  }
}
