package dev.bluebell.conformance.traffic;

import dev.bluebell.conformance.traffic.Inbox.Service;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A flow of an unreliable service. The sequence number determines a message's content, so each
 * arriving message can be checked alone: it is whole, or it does not arrive. On a lossless fabric,
 * all arrive once and in order.
 */
final class UnreliableFlow extends Flow {
  /** Number of requests whose messages may still arrive. */
  private static final int MEMORY = 256;

  private static final int STAGES = 16;
  private static final int CELLS = 64;
  private static final int CELL_BYTES = 64;
  private static final int MOST_CELLS = 4;

  /** Longest message of a connection. */
  private static final int MESSAGE_BYTES = 2000;

  /** Longest datagram, which is one packet. */
  private static final int DATAGRAM_BYTES = 1024;

  private final Territory here;
  private final Territory there;
  private final int stage;
  private final int remote;
  private final boolean hasWrites;
  private final int mostBytes;
  private final List<Inbox> inboxes;

  private final RequestKind[] kinds = new RequestKind[MEMORY];
  private final int[] lengths = new int[MEMORY];
  private final int[] targets = new int[MEMORY];
  private final byte[] text = new byte[Inbox.SLOT_BYTES];

  /** Sequence number after the last message that arrived from each target. */
  private final int[] arrived;

  // WRITEs of this round, each to a place of its own.
  private final int[] writes = new int[CELLS];
  private final int[] writeCells = new int[CELLS];
  private int writeCount;
  private int nextCell;

  private int due;

  /**
   * @param service of the queue pair: a connection, or datagrams, which have no WRITEs
   */
  UnreliableFlow(
      int number,
      Poster poster,
      Tally tally,
      Territory here,
      Territory there,
      List<Inbox> inboxes,
      Service service) {
    super(number, poster, tally);
    this.here = here;
    this.there = there;
    this.inboxes = inboxes;
    hasWrites = service == Service.CONNECTION;
    mostBytes = hasWrites ? MESSAGE_BYTES : DATAGRAM_BYTES;
    stage = here.take(STAGES * Inbox.SLOT_BYTES);
    remote = hasWrites ? there.take(CELLS * CELL_BYTES) : 0;
    arrived = new int[poster.targets()];
  }

  @Override
  boolean act(SplittableRandom random, Request request) {
    int target = random.nextInt(poster.targets());
    Inbox inbox = inboxes.get(target);
    inbox.act(random);
    // The device may still read the data of incomplete requests.
    if (!hasRoom() || posted - completed >= STAGES) {
      return false;
    }
    RequestKind kind = kind(random);
    int bytes = bytes(random, kind);
    boolean isMessage = kind != RequestKind.WRITE;
    if (isMessage && !tally.loses && inbox.spare() <= 0) {
      return false;
    }
    int record = posted & MEMORY - 1;
    kinds[record] = kind;
    lengths[record] = bytes;
    targets[record] = target;
    request.begin(kind, target);
    request.immediate = Mark.immediate(number, posted);
    compose(random, request, kind, bytes);
    if (isMessage && !tally.loses) {
      inbox.promise();
      tally.outstanding++;
      due++;
    }
    if (isMessage) {
      tally.hoped++;
    }
    post(random, request, 0);
    return true;
  }

  private RequestKind kind(SplittableRandom random) {
    boolean write = hasWrites && nextCell + MOST_CELLS <= CELLS && random.nextBoolean();
    return switch (random.nextInt(3)) {
      case 0 -> write ? RequestKind.WRITE : RequestKind.SEND;
      case 1 -> write ? RequestKind.WRITE_IMMEDIATE : RequestKind.SEND_IMMEDIATE;
      default -> RequestKind.SEND;
    };
  }

  private int bytes(SplittableRandom random, RequestKind kind) {
    if (isWrite(kind)) {
      return CELL_BYTES * (1 + random.nextInt(MOST_CELLS));
    }
    if (kind == RequestKind.SEND_IMMEDIATE && random.nextInt(8) == 0) {
      return 0;
    }
    int most = random.nextInt(4) == 0 ? mostBytes : 100;
    return Mark.BYTES + random.nextInt(most - Mark.BYTES);
  }

  private static boolean isWrite(RequestKind kind) {
    return kind == RequestKind.WRITE || kind == RequestKind.WRITE_IMMEDIATE;
  }

  private void compose(SplittableRandom random, Request request, RequestKind kind, int bytes) {
    fill(posted, bytes);
    int at = stage + (posted & STAGES - 1) * Inbox.SLOT_BYTES;
    here.write(at, text, bytes);
    if (isWrite(kind)) {
      int cell = nextCell;
      writes[writeCount] = posted;
      writeCells[writeCount] = cell;
      writeCount++;
      nextCell += bytes / CELL_BYTES;
      request.remoteAddress = there.address(remote + cell * CELL_BYTES);
      request.rkey = there.rkey();
      if (!tally.loses) {
        there.expectCopy(text, 0, remote + cell * CELL_BYTES, bytes);
      }
    }
    if (bytes > 0 && !isInline(random, request, text, 0, bytes)) {
      pieces(random, request, here, at, bytes);
    }
  }

  /** Generates the content of a message. */
  private void fill(int sequence, int bytes) {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      long word = i == 0 ? Mark.stamp(number, sequence) : Mark.pattern(number, sequence, i >>> 3);
      Territory.putLong(text, i, word);
    }
  }

  @Override
  void received(Arrival arrival) {
    int sequence = sequenceOf(arrival);
    int record = sequence & MEMORY - 1;
    RequestKind kind = kinds[record];
    int target = targets[record];
    boolean hasImmediate =
        kind == RequestKind.SEND_IMMEDIATE || kind == RequestKind.WRITE_IMMEDIATE;
    if (kind == RequestKind.WRITE
        || isWrite(kind) != arrival.isWrite
        || hasImmediate != arrival.hasImmediate
        || lengths[record] != arrival.bytes
        || inboxes.get(target).number != arrival.inbox.number
        || !arrival.is(number, sequence)) {
      throw failure(
          "%s arrived, but message %d is %s of %d bytes to %s",
          arrival, sequence, kind, lengths[record], inboxes.get(target));
    }
    fill(sequence, arrival.bytes);
    Territory territory = arrival.isWrite ? there : arrival.inbox.territory();
    int at = arrival.isWrite ? placeOf(sequence) : arrival.at;
    if (at >= 0) {
      int wrong = territory.mismatch(at, text, 0, arrival.bytes);
      if (wrong >= 0) {
        throw failure("byte %d of message %d is wrong", wrong, sequence);
      }
      territory.expectCopy(text, 0, at, arrival.bytes);
    }
    tally.arrived++;
    if (!tally.loses) {
      if (sequence - arrived[target] < 0) {
        throw failure("message %d arrived after message %d", sequence, arrived[target] - 1);
      }
      arrived[target] = sequence + 1;
      due--;
      arrival.inbox.kept();
      tally.outstanding--;
    }
  }

  /** The sequence number of a message, from its stamp or its immediate. */
  private int sequenceOf(Arrival arrival) {
    if (arrival.hasStamp) {
      int sequence = arrival.sequence;
      if (sequence - posted >= 0 || posted - sequence > MEMORY) {
        throw failure("message %d arrived, but was not sent recently", sequence);
      }
      return sequence;
    }
    for (int sequence = posted - 1; sequence >= Math.max(0, posted - MEMORY); sequence--) {
      if (arrival.is(number, sequence)) {
        return sequence;
      }
    }
    throw failure("a message with immediate 0x%x arrived", arrival.immediate);
  }

  /** The place of a WRITE of this round; −1 for a WRITE of an earlier round. */
  private int placeOf(int sequence) {
    for (int i = 0; i < writeCount; i++) {
      if (writes[i] == sequence) {
        return remote + writeCells[i] * CELL_BYTES;
      }
    }
    return -1;
  }

  /** Checks that each WRITE changed all of its bytes or none. */
  @Override
  void endRound() {
    for (int i = 0; i < writeCount && tally.loses; i++) {
      int at = remote + writeCells[i] * CELL_BYTES;
      int bytes = lengths[writes[i] & MEMORY - 1];
      fill(writes[i], bytes);
      if (there.mismatch(at, text, 0, bytes) < 0) {
        there.expectCopy(text, 0, at, bytes);
      } else if (!there.isAsExpected(at, bytes)) {
        throw failure("WRITE %d of %d bytes arrived in part", writes[i], bytes);
      }
    }
    Arrays.fill(writes, 0, writeCount, 0);
    writeCount = 0;
    nextCell = 0;
  }

  @Override
  boolean isBusy() {
    return super.isBusy() || due > 0;
  }

  @Override
  public String toString() {
    return "%s, %d messages due".formatted(super.toString(), due);
  }
}
