package dev.bluebell.conformance;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.View;
import java.util.Arrays;
import java.util.Optional;

/**
 * The general capabilities of a device under test.
 *
 * @param view of {@link CmdHcaCap}
 */
record DeviceCapabilities(View view) {
  static DeviceCapabilities of(Hca hca) {
    return new DeviceCapabilities(CapabilityType.query(hca::execute, CapabilityType.GENERAL));
  }

  /**
   * Names the first capability that the device lacks, in a sentence; empty if it has all.
   *
   * @param names of fields, as in {@link Needs}
   */
  Optional<String> missing(String... names) {
    return Arrays.stream(names)
        .filter(name -> !view.isSet(CmdHcaCap.STRUCTURE.field(name)))
        .findFirst()
        .map("the device does not have the capability %s"::formatted);
  }
}
