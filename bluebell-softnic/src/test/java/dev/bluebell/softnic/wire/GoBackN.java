package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.roce.packet.Reth;
import dev.bluebell.softnic.wire.SoftRoce.Captured;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Checks the rules of go-back-N on the packets of one connection on which one end sends requests:
 * the rules of the testing tool Lumina (SIGCOMM 2023; gbn_check.py and read_gbn_check.py), and
 * stricter ones: a timeout resends the oldest unacknowledged packet, and only packets that have
 * arrived are acknowledged.
 *
 * <ul>
 *   <li>A sender sends PSNs in their order. It goes back only after a NAK, to the PSN that the NAK
 *       names, or after a timeout.
 *   <li>A receiver sends one NAK for a gap, which names the first missing PSN. Acknowledged PSNs
 *       never decrease.
 *   <li>After a loss, the requester repeats a READ from the first missing response to the end.
 *       Responses begin at the requested PSN, and their PSNs are consecutive.
 * </ul>
 *
 * <p>A capture has each packet at the time when it is sent, even if it is lost. So a rule about a
 * receiver knows which packets may have arrived, but not when.
 */
final class GoBackN {
  /** How often a NAK or a timeout caused the sender to retransmit. */
  record Recoveries(int byNak, int byTimeout) {}

  private final List<Captured> packets;
  private final Set<Integer> lost;
  private final int first;
  private final int end;

  // Of the sender of data: the next PSN in order, the oldest unacknowledged one, the furthest sent
  // one, and the PSN of a NAK to which it has not reacted yet; −1 for none.
  private int next;
  private int unacknowledged;
  private int furthest;
  private int refused = NONE;

  // Of the receiver of data: the expected PSN, the gap it has seen, the gap it has reported, and
  // the last acknowledged PSN.
  private int expected;
  private boolean hasGap;
  private boolean hasRefused;
  private int acknowledged;

  // Of READs: the PSNs that were requested last.
  private int askedFirst = NONE;
  private int askedEnd = NONE;

  private int byNak;
  private int byTimeout;

  private static final int NONE = -1;

  /**
   * @param lost packets that did not arrive, by their place in the capture, from 0
   * @param psn the first one
   * @param count packets of data that there are, without repetitions
   */
  private GoBackN(List<Captured> packets, Set<Integer> lost, int psn, int count) {
    this.packets = packets;
    this.lost = lost;
    first = psn;
    end = psn + count;
    next = psn;
    unacknowledged = psn;
    furthest = psn;
    expected = psn;
    acknowledged = psn;
  }

  private static List<Captured> read(Path capture) {
    return SoftRoce.packets(capture, LinkType.RAW_IP);
  }

  /** Checks SENDs or RDMA WRITEs: their requests are the data. */
  static Recoveries ofRequests(Path capture, Set<Integer> lost, int psn, int count) {
    return new GoBackN(read(capture), lost, psn, count).checkRequests();
  }

  /**
   * Checks one READ: the responses are the data.
   *
   * @param mtu bytes of a response
   */
  static Recoveries ofRead(Path capture, Set<Integer> lost, int psn, int count, int mtu) {
    return new GoBackN(read(capture), lost, psn, count).checkRead(mtu);
  }

  private static int opcode(Captured packet) {
    return Bth.OPCODE.getInt(ByteBuffer.wrap(packet.transport()), 0);
  }

  private static int psn(Captured packet) {
    return Bth.PSN.getInt(ByteBuffer.wrap(packet.transport()), 0);
  }

  private static int syndrome(Captured packet) {
    return packet.transport()[Bth.HEADER.bytes()] & 0xff;
  }

  /** Packets from one PSN to another, which may be before it. */
  private static int from(int one, int other) {
    return Psn.distance(one & Psn.MASK, other & Psn.MASK);
  }

  // ---- SEND and RDMA WRITE

  private Recoveries checkRequests() {
    for (int i = 0; i < packets.size(); i++) {
      Captured packet = packets.get(i);
      String where = "packet %d, PSN %d".formatted(i, psn(packet));
      boolean arrives = !lost.contains(i);
      if (!BthOpcode.isResponse(opcode(packet))) {
        send(psn(packet), where);
        if (arrives) {
          receive(psn(packet));
        }
      } else if (syndrome(packet) == Aeth.PSN_SEQUENCE_NAK) {
        refuse(psn(packet), arrives, where);
      } else {
        acknowledge(psn(packet), arrives, where);
      }
    }
    assertThat(from(expected, end)).as("all data has arrived").isZero();
    assertThat(from(next, end)).as("nothing is left to be sent").isZero();
    assertThat(from(unacknowledged, end)).as("all data is acknowledged").isZero();
    assertThat(hasGap).as("a gap is left").isFalse();
    return new Recoveries(byNak, byTimeout);
  }

  private void send(int psn, String where) {
    if (from(next, psn) != 0) {
      if (refused != NONE) {
        assertThat(psn)
            .as("%s: after a NAK the sender restarts at the PSN of the NAK", where)
            .isEqualTo(refused);
        refused = NONE;
        byNak++;
      } else {
        assertThat(from(unacknowledged, psn))
            .as(
                "%s: after a timeout the sender restarts at the oldest unacknowledged packet",
                where)
            .isZero();
        byTimeout++;
      }
    }
    next = psn + 1;
    furthest = from(furthest, next) > 0 ? next : furthest;
    assertThat(from(next, end))
        .as("%s: the packet is behind the end of the data", where)
        .isNotNegative();
  }

  private void receive(int psn) {
    int ahead = from(expected, psn);
    if (ahead == 0) {
      expected++;
      hasGap = false;
      hasRefused = false;
    } else if (ahead > 0) {
      hasGap = true;
    }
  }

  private void acknowledge(int psn, boolean arrives, String where) {
    assertThat(from(acknowledged, psn + 1)).as("%s: ACKs do not go back", where).isNotNegative();
    assertThat(from(psn, expected)).as("%s: acknowledged packets have arrived", where).isPositive();
    acknowledged = psn + 1;
    if (arrives) {
      unacknowledged = from(unacknowledged, psn + 1) > 0 ? psn + 1 : unacknowledged;
    }
  }

  private void refuse(int psn, boolean arrives, String where) {
    assertThat(hasGap).as("%s: a NAK reports a gap", where).isTrue();
    assertThat(hasRefused).as("%s: there is one NAK for a gap", where).isFalse();
    assertThat(from(expected, psn)).as("%s: a NAK names the missing packet", where).isZero();
    hasRefused = true;
    if (arrives) {
      refused = psn;
      unacknowledged = psn;
    }
  }

  // ---- READ

  private Recoveries checkRead(int mtu) {
    for (int i = 0; i < packets.size(); i++) {
      Captured packet = packets.get(i);
      String where = "packet %d, PSN %d".formatted(i, psn(packet));
      boolean arrives = !lost.contains(i);
      if (opcode(packet) == BthOpcode.READ_REQUEST) {
        ask(packet, mtu, arrives, where);
      } else {
        assertThat(BthOpcode.isReadResponse(opcode(packet))).as(where).isTrue();
        respond(psn(packet), where);
        if (arrives) {
          takeResponse(psn(packet));
        }
      }
    }
    assertThat(from(expected, end)).as("all data has arrived").isZero();
    assertThat(hasGap).as("a gap is left").isFalse();
    return new Recoveries(byNak, byTimeout);
  }

  private void ask(Captured request, int mtu, boolean arrives, String where) {
    int psn = psn(request);
    long bytes = Reth.DMA_LENGTH.get(ByteBuffer.wrap(request.transport()), Bth.HEADER.bytes());
    int count = (int) ((bytes + mtu - 1) / mtu);
    assertThat(from(psn + count, end))
        .as("%s: the READ requests all remaining data", where)
        .isZero();
    assertThat(from(expected, psn))
        .as("%s: the READ starts at the first missing packet", where)
        .isZero();
    if (from(first, psn) != 0 || furthest != first) {
      byNak += hasGap ? 1 : 0;
      byTimeout += hasGap ? 0 : 1;
    }
    furthest = psn + 1;
    hasGap = false;
    if (arrives) {
      askedFirst = psn;
      askedEnd = psn + count;
      next = NONE;
    }
  }

  private void respond(int psn, String where) {
    assertThat(askedFirst).as("%s: a READ request precedes the response", where).isNotEqualTo(NONE);
    if (next == NONE) {
      assertThat(psn)
          .as("%s: responses begin at the PSN of the READ request", where)
          .isEqualTo(askedFirst);
    } else {
      assertThat(from(next, psn)).as("%s: responses follow each other", where).isZero();
    }
    assertThat(from(psn, askedEnd))
        .as("%s: the response is inside the requested range", where)
        .isPositive();
    next = psn + 1;
  }

  private void takeResponse(int psn) {
    int ahead = from(expected, psn);
    if (ahead == 0) {
      expected++;
    } else {
      hasGap |= ahead > 0;
    }
  }
}
