package dev.bluebell.hca;

import java.util.List;
import java.util.Optional;

/** Explanations and inspection of a software device; hardware has none. Thread-safe. */
public interface HcaDiagnosis {

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

  /** The last things that the device did, oldest first, one line each. */
  List<String> flightRecord();

  /** Switches the recording of whole WQEs and CQEs on or off; off is the default. */
  void trace(boolean on);

  /** All objects that exist on the device, one line each. */
  List<String> objects();
}
