package dev.bluebell.report.guide;

import dev.bluebell.hca.cqe.Syndrome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The meaning, likely causes and next step for each syndrome of an error CQE. */
public enum Guide {
  LOCAL_LENGTH(
      Syndrome.LOCAL_LENGTH_ERR,
      "The message is longer than the memory of the request, or the request itself is too long.",
      List.of(
          Cause.mistake("the memory of the receive is smaller than the message", "short-receive"),
          Cause.mistake("a data segment of length 0, which stands for 2 GiB", "empty-data-segment"),
          Cause.mistake("more inline data than ds has room for", "inline-beyond-ds"),
          Cause.mistake(
              "a READ between queue pairs with different path MTUs (the linked page says how to"
                  + " compare both ends)",
              "missing-peer")),
      "Compare byte_count of all data segments with the message, on the side that reports it."),
  LOCAL_QP_OP(
      Syndrome.LOCAL_QP_OP_ERR,
      "The device could not make sense of the WQE, or the queue pair may not execute it.",
      List.of(
          Cause.mistake(
              "wqe_index in the control segment is not the queue's counter", "wrong-wqe-index"),
          Cause.mistake("the QPN in the control segment is another queue's", "wrong-qpn"),
          Cause.mistake("ds is not the length of the segments in the WQE", "wrong-ds")),
      "Dump the WQE at wqe_counter and decode it with 'bluebell decode --wqe'."),
  LOCAL_PROT(
      Syndrome.LOCAL_PROT_ERR,
      "A local key does not allow this access to local memory.",
      List.of(
          Cause.mistake("the lkey is wrong, or its region was closed", "wrong-lkey"),
          Cause.mistake(
              "the region was registered without LOCAL_WRITE and is written to", "local-right"),
          Cause.mistake("the range leaves the region", "beyond-the-local-region")),
      List.of(
          Cause.outside(
              "if the memory is a GPU's, or behind an IOMMU: PCIe did not let the card reach it"
                  + " (ACS, IOMMU, nvidia-peermem); with host memory the same run works",
              "memory-that-the-card-cannot-reach")),
      "Compare lkey, address and length of each data segment with the region; for a failed receive,"
          + " check the segments of the receive."),
  FLUSHED(
      Syndrome.WR_FLUSH_ERR,
      "The queue pair was in the error state before the request was executed.",
      List.of(
          Cause.mistake("an earlier request of the queue pair failed", "flushed"),
          Cause.mistake("the peer's request was refused here, which fails both ends", "wrong-rkey"),
          Cause.mistake("the completion queue overran", "cq-overrun")),
      "Look for the first completion with another syndrome on this queue pair, and for asynchronous"
          + " events."),
  MW_BIND(
      Syndrome.MW_BIND_ERR,
      "A UMR (a request that changes a memory key) could not change the key as it asked.",
      List.of(
          Cause.mistake(
              "the rkey in the control segment is not the current one of the window",
              "umr-stale-key"),
          Cause.mistake("the window is bound already, and CHECK_FREE is set", "bind-over-a-bind"),
          Cause.mistake(
              "a queue pair that does not own the window invalidates it (the linked page shows the"
                  + " same mistake with a WRITE)",
              "window-of-another-queue")),
      List.of(
          Cause.outside(
              "if Linux logs it without an application that sends UMRs: the UMR is the kernel"
                  + " driver's own, so it is a bug of the driver; report it with the kernel's"
                  + " version",
              "a-card-that-does-not-answer")),
      "Decode the UMR WQE and compare imm, flags, mkey_mask and qpn_mkey."),
  BAD_RESPONSE(
      Syndrome.BAD_RESP_ERR,
      "The peer's answer does not fit the request.",
      List.of(
          Cause.mistake(
              "another queue pair answers: the two ends are not connected to each other (the linked"
                  + " page says how to compare them)",
              "missing-peer")),
      "Query both queue pairs and compare their peers and PSNs."),
  LOCAL_ACCESS(
      Syndrome.LOCAL_ACCESS_ERR,
      "A peer's request could not be served from local memory.",
      List.of(
          Cause.mistake("the region was closed while the peer used it", "closed-region"),
          Cause.mistake("the range leaves the region", "beyond-the-region"),
          Cause.mistake(
              "the region lacks the right that the request needs", "missing-remote-right")),
      "Look at the peer's completion, which shows what the peer asked for."),
  REMOTE_INVALID_REQUEST(
      Syndrome.REMOTE_INVAL_REQ_ERR,
      "The responder refused the request as invalid, before it looked at any key.",
      List.of(
          Cause.mistake("the receive is shorter than the message", "short-receive"),
          Cause.mistake(
              "the responder's queue pair does not allow the operation", "queue-pair-right"),
          Cause.mistake("the address of an atomic is not a multiple of 8", "misaligned-atomic")),
      "Look at the responder: its completions, its queue pair's rwe, rre and rae bits, its"
          + " receives."),
  REMOTE_ACCESS(
      Syndrome.REMOTE_ACCESS_ERR,
      "The responder refused the access to its memory.",
      List.of(
          Cause.mistake(
              "the rkey is from an earlier registration, or was never handed out", "wrong-rkey"),
          Cause.mistake("the range leaves the region", "beyond-the-region"),
          Cause.mistake("the region was registered without the right", "missing-remote-right")),
      "Compare raddr, rkey and length of the WQE with the responder's region, and check whether and"
          + " when the responder closed it. With XRC, also check the number and the XRC domain of"
          + " the SRQ that the WQE names."),
  REMOTE_OPERATION(
      Syndrome.REMOTE_OP_ERR,
      "The responder could not complete the request because of an error on its side.",
      List.of(
          Cause.mistake(
              "a SEND or WRITE with immediate: the responder's receive names memory with a wrong"
                  + " lkey, or without the right",
              "receive-memory"),
          Cause.mistake(
              "a SEND or WRITE with immediate: the responder's receive is malformed, or its"
                  + " doorbell record counts too many receives (the linked page shows the same"
                  + " mistake with a send queue)",
              "record-too-far")),
      List.of(
          Cause.outside(
              "a READ, WRITE or atomic: the rkey is valid, but the responder's card could not reach"
                  + " the memory behind it (GPU memory, ACS, IOMMU, an on-demand page that is"
                  + " gone)",
              "memory-that-the-card-cannot-reach")),
      "Look at the responder's completions and asynchronous events."),
  RETRY_EXCEEDED(
      Syndrome.TRANSPORT_RETRY_EXC_ERR,
      "The peer did not answer: all retries are used up.",
      List.of(
          Cause.mistake(
              "the peer's queue pair does not exist, or is not connected to this one",
              "missing-peer"),
          Cause.mistake(
              "the peer's queue pair is in the error state, or was closed", "peer-in-error"),
          Cause.mistake(
              "the peer expects another first PSN: rq_psn there is not sq_psn here", "wrong-psn"),
          Shared.PACKETS_DO_NOT_ARRIVE),
      List.of(
          Shared.PACKETS_DO_NOT_ARRIVE,
          Cause.outside(
              "the two ports are on networks that are not connected to each other, such as two"
                  + " rails",
              Shared.PATHS),
          Cause.outside("the link of a port went down: look for port events", Shared.PATHS),
          Cause.outside("the peer's process ended, or its machine stopped", Shared.PATHS),
          Cause.outside(
              "retries end too early for a congested network (timeout, retry_cnt)", Shared.PATHS)),
      "Query the peer's queue pair, then compare GIDs (show_gids), QPNs and path MTUs of both"
          + " ends."),
  RNR_RETRY_EXCEEDED(
      Syndrome.RNR_RETRY_EXC_ERR,
      "The responder had no receive posted, and all retries are used up.",
      List.of(
          Cause.mistake(
              "receives were posted without writing the doorbell record",
              "receive-doorbell-forgotten"),
          Cause.mistake(
              "no receive was posted, or only after the message arrived", "missing-receive"),
          Cause.mistake("receives that completed were not posted again", "missing-receive")),
      "Compare the numbers of receives that the responder posted and completed, and read its"
          + " receive doorbell record."),
  REMOTE_ABORTED(
      Syndrome.REMOTE_ABORTED_ERR,
      "The peer aborted the operation.",
      List.of(
          Cause.mistake("the peer's queue pair went to the error state", "peer-in-error"),
          Cause.mistake("the peer closed an object that the operation used", "closed-region"),
          Cause.mistake("the peer refused the access", "wrong-rkey")),
      "Look at the peer's completions and asynchronous events.");

  /** Constants of an enum can't use its static fields. */
  private static final class Shared {
    static final String PATHS = "peers-that-do-not-answer";

    static final Cause PACKETS_DO_NOT_ARRIVE =
        Cause.mistake(
            "packets do not arrive: GID index, MTU, destination MAC, VLAN, or a firewall",
            "wrong-gid");
  }

  private static final String INDEX = "docs/failures/README.md";

  private final int syndrome;
  private final String meaning;
  private final List<Cause> causes;
  private final List<Cause> likelierOnCards;
  private final String next;

  Guide(int syndrome, String meaning, List<Cause> causes, String next) {
    this(syndrome, meaning, causes, List.of(), next);
  }

  /**
   * @param likelierOnCards causes that published logs of cards establish more often than {@code
   *     causes}
   */
  Guide(
      int syndrome, String meaning, List<Cause> causes, List<Cause> likelierOnCards, String next) {
    this.syndrome = syndrome;
    this.meaning = meaning;
    this.causes = causes;
    this.likelierOnCards = likelierOnCards;
    this.next = next;
  }

  /** The guide for a syndrome; empty for one without a public name. */
  public static Optional<Guide> of(int syndrome) {
    return Arrays.stream(values()).filter(guide -> guide.syndrome == syndrome).findFirst();
  }

  public int syndrome() {
    return syndrome;
  }

  /** Name of the syndrome, such as {@code LOCAL_PROT_ERR}. */
  public String syndromeName() {
    return Syndrome.name(syndrome);
  }

  /** The meaning of the syndrome, as a sentence. */
  public String meaning() {
    return meaning;
  }

  /** The likeliest mistakes of an application, the likeliest first. */
  public List<Cause> causes() {
    return causes;
  }

  /** The likeliest causes of a failure on a card, the likeliest first. */
  public List<Cause> causesOnACard() {
    return Stream.concat(likelierOnCards.stream(), causes.stream()).distinct().toList();
  }

  /** The next step, as a sentence. */
  public String next() {
    return next;
  }

  /** The section of the index for this syndrome. */
  public String page() {
    return INDEX + "#" + anchor();
  }

  /** The part of {@link #page} after the number sign. */
  public String anchor() {
    return syndromeName().toLowerCase(Locale.ROOT);
  }
}
