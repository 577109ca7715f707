package dev.bluebell.cli.demo;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.verbs.Completion;
import java.util.List;

/**
 * The observable part of a failure, at one place.
 *
 * @param who requester, responder or driver
 * @param what a completion, an event or a refusal, with its codes
 * @param explanations reasons
 * @param sign its entry in the index of failures: the name of a syndrome, or one of the constants
 *     here
 */
record Finding(String who, String what, List<String> explanations, String sign) {
  static final String REQUESTER = "requester";
  static final String RESPONDER = "responder";

  /** Nothing completes. */
  static final String SILENCE = "silence";

  /** Everything succeeds, but the data is wrong, or a request should have been refused. */
  static final String WRONG_DATA = "wrong data";

  /** A poll returns a completion that never happened, or returns one twice. */
  static final String PHANTOM = "false completions";

  /** The driver throws an exception. */
  static final String REFUSAL = "refused by the driver";

  /** An asynchronous event. */
  static final String EVENT = "events";

  static Finding completion(String who, Completion done) {
    return new Finding(
        who,
        "%s: %s, syndrome 0x%02x, vendor 0x%02x"
            .formatted(done.opcode(), done.status(), done.syndrome(), done.vendorSyndrome()),
        List.of(done.explanation()),
        Syndrome.name(done.syndrome()));
  }

  static Finding refusal(RuntimeException refusal) {
    return new Finding(
        "driver",
        refusal.getClass().getSimpleName(),
        List.of(String.valueOf(refusal.getMessage())),
        REFUSAL);
  }

  /** Nothing completes, for these reasons. */
  static Finding silence(String who, List<String> explanations) {
    return new Finding(who, "nothing completes", explanations, SILENCE);
  }

  /** The completion reports success, but the data is wrong. */
  static Finding wrongData(String who, String what, String why) {
    return new Finding(who, what, List.of(why), WRONG_DATA);
  }

  /** A poller saw a completion that does not exist. */
  static Finding phantom(String what, String why) {
    return new Finding("poller", what, List.of(why), PHANTOM);
  }
}
