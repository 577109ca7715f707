package dev.bluebell.cli.demo;

import java.util.List;

/**
 * What somebody saw of a failure.
 *
 * @param who requester, responder or driver
 * @param what a completion, an event or a refusal, with its codes
 * @param explanations why
 */
record Finding(String who, String what, List<String> explanations) {

  static Finding completion(String who, Done done) {
    return new Finding(
        who,
        "%s: %s, syndrome 0x%02x, vendor 0x%02x"
            .formatted(done.opcode(), done.status(), done.syndrome(), done.vendorSyndrome()),
        List.of(done.explanation()));
  }

  static Finding refusal(RuntimeException refusal) {
    return new Finding(
        "driver",
        refusal.getClass().getSimpleName(),
        List.of(String.valueOf(refusal.getMessage())));
  }
}
