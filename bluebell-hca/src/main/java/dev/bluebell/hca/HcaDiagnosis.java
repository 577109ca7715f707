package dev.bluebell.hca;

import java.util.List;
import java.util.Optional;

/** Explanations and inspection of a software device. Thread-safe. */
public interface HcaDiagnosis {
  /** The first words of an explanation of flushed requests. */
  String FLUSHED = "flushed, because ";

  /**
   * The last words of an explanation of flushed requests whose client moved the queue pair to ERR
   * itself, as clients do to disconnect: nothing failed.
   */
  String MOVED_BY_COMMAND =
      "its client moved it to ERR, as bluebell-connect and RDMA CM applications do when a"
          + " connection ends";

  /**
   * The last words of an explanation of requests that started although their doorbell was not seen.
   * Where queue pairs share a register, as those of libmlx5 do, correct clients get it, too.
   */
  String DOORBELL_REPLACED =
      "if every post rings its own doorbell, one write replaced another in the register, which is"
          + " harmless";

  /**
   * The last words of an explanation of an ignored arm command that has the sequence number of the
   * last event. A correct client that has not read this event yet gets it, too.
   */
  String ARMED_BEFORE_EVENT =
      "that is harmless if the last event has not been read yet; once it has, increment arm_sn";

  /** The last words of explanations that correct clients get, too. */
  List<String> HARMLESS = List.of(MOVED_BY_COMMAND, DOORBELL_REPLACED, ARMED_BEFORE_EVENT);

  /** True for an explanation that a correct client does not get. */
  static boolean isFailure(String explanation) {
    return HARMLESS.stream().noneMatch(explanation::endsWith);
  }

  /**
   * Why a completion failed, in one sentence.
   *
   * @param cqn number of the completion queue
   * @param index cumulative index of the completion in it, 32 bits, counted from 0 since the CQ was
   *     created
   */
  Optional<String> explain(int cqn, int index);

  /**
   * The latest explanations, oldest first: of failed completions, dropped requests, ignored
   * doorbells and events.
   */
  List<String> explanations();

  /** The flight record: the latest actions of the device, oldest first. */
  List<HcaHappening> happenings();

  /** The flight record as text, oldest first. */
  default List<String> flightRecord() {
    return happenings().stream().map(HcaHappening::toString).toList();
  }

  /**
   * Switches the recording of whole WQEs and CQEs, and of deliveries, on or off; off is the
   * default.
   */
  void trace(boolean on);

  /** All objects that exist on the device, one line each. */
  List<String> objects();
}
