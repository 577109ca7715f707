package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.operation.AtomicRequests;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.RefusedRequest;
import dev.bluebell.softnic.transport.operation.SendRequests;
import java.util.stream.IntStream;

/**
 * Admits requests of a reliable connection from the ring to the outstanding ones: decodes each
 * once, points the connection at its peer and assigns its PSNs. Owned by the thread that runs the
 * engine.
 */
final class RcAdmission {
  private static final WqeDecoder PLAIN =
      decoder(ServiceType.RC, WqeOpcode.TAG_MATCHING, WqeOpcode.MMO, WqeOpcode.LOCAL_MMO);
  private static final WqeDecoder EXTENDED = decoder(ServiceType.XRC);
  private static final WqeDecoder DYNAMIC = decoder(ServiceType.DCI, WqeOpcode.MMO);
  private static final WqeDecoder COMPACT = DYNAMIC.withCompactVectors();

  private final SendRequests requests;
  private final Outstanding outstanding;
  private final PsnWindow window;
  private final LocalOperations operations;
  private final RefusedRequest refused;
  private final PeerSelection peers;
  private final RcSender sender;
  private final RcAnswers answers;
  private final WqeDecoder decoder;

  // True when a fetched request waits for PSNs, or for the responses of another target.
  private boolean held;

  private int logMtu;
  private long longest = WqeDecoder.MAX_MESSAGE;

  private static WqeDecoder decoder(ServiceType service, int... own) {
    IntStream common =
        IntStream.of(
            WqeOpcode.NOP,
            WqeOpcode.SEND,
            WqeOpcode.SEND_IMM,
            WqeOpcode.SEND_INVAL,
            WqeOpcode.RDMA_WRITE,
            WqeOpcode.RDMA_WRITE_IMM,
            WqeOpcode.RDMA_READ,
            WqeOpcode.ATOMIC_CS,
            WqeOpcode.ATOMIC_FA,
            WqeOpcode.ATOMIC_MASKED_CS,
            WqeOpcode.ATOMIC_MASKED_FA,
            WqeOpcode.UMR,
            WqeOpcode.WAIT,
            WqeOpcode.SEND_EN,
            WqeOpcode.RECV_EN);
    return new WqeDecoder(service, IntStream.concat(common, IntStream.of(own)).toArray());
  }

  /**
   * @param operations executes local requests, and holds the refused one
   * @param peers selects the peer of each request
   */
  RcAdmission(
      Connection connection,
      SendRequests requests,
      Outstanding outstanding,
      PsnWindow window,
      LocalOperations operations,
      PeerSelection peers,
      RcSender sender,
      RcAnswers answers) {
    this.requests = requests;
    this.outstanding = outstanding;
    this.window = window;
    this.operations = operations;
    this.peers = peers;
    this.sender = sender;
    this.answers = answers;
    refused = operations.refused();
    decoder =
        switch (connection.service()) {
          case XRC -> EXTENDED;
          case DCI -> connection.station().takesCompactVectors() ? COMPACT : DYNAMIC;
          default -> PLAIN;
        };
  }

  void reset() {
    held = false;
    peers.reset();
  }

  /**
   * Applies the attributes that may also change later.
   *
   * @param mostBytes of a message
   */
  void configure(int logarithmOfMtu, long mostBytes) {
    logMtu = logarithmOfMtu;
    longest = mostBytes;
  }

  /** Most bytes of a message. */
  long longest() {
    return longest;
  }

  /** True when a fetched request waits to be admitted. */
  boolean isHeld() {
    return held;
  }

  /** Fetches and decodes the next WQE; false when there is none that can be sent. */
  boolean admit() {
    boolean fetched = !held;
    if (refused.isSet() || fetched && !requests.fetch(decoder, longest, refused.fault())) {
      return false;
    }
    SendWqe wqe = outstanding.next();
    held = !refused.isSet() && operations.of(wqe.opcode()) == null && !aim(wqe);
    if (held) {
      return false;
    }
    int psns = refused.isSet() ? 0 : psns(wqe);
    held = !window.hasRoom(psns);
    if (held) {
      return false;
    }
    if (refused.isSet()) {
      refused.at(outstanding.tail());
    } else if (wqe.isAnswered()) {
      answers.noteAsked();
    }
    int first = window.next();
    window.give(psns);
    outstanding.push(first, window.next());
    return !refused.isSet();
  }

  /**
   * Points the connection at the peer of a request; false while requests to another one are
   * outstanding. Sets the fault when the request names no possible peer.
   */
  private boolean aim(SendWqe wqe) {
    PeerSelection.Aim aimed = peers.aim(wqe, outstanding.isEmpty(), refused.fault());
    if (aimed == PeerSelection.Aim.OTHER) {
      sender.configure();
    }
    return aimed != PeerSelection.Aim.WAITS;
  }

  private int psns(SendWqe wqe) {
    return operations.of(wqe.opcode()) != null
        ? 0
        : AtomicRequests.isAtomic(wqe.opcode()) ? 1 : Psn.packets(wqe.bytes(), logMtu);
  }

  /**
   * Admits a held request without PSNs: its WQE was fetched, so it is flushed with the outstanding
   * ones.
   */
  void admitHeld() {
    if (held) {
      outstanding.push(window.next(), window.next());
    }
  }
}
