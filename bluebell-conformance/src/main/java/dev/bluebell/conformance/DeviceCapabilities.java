package dev.bluebell.conformance;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
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
    byte[] command =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, CapabilityType.current(CapabilityType.GENERAL))
            .bytes();
    byte[] answer = hca.execute(command);
    return new DeviceCapabilities(View.over(View.over(answer).getBytes(QueryHcaCapOut.CAPABILITY)));
  }

  /**
   * Says which of some capabilities the device has not, in a sentence; empty when it has all.
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
