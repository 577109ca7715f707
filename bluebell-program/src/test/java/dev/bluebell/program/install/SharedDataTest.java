package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.program.Data;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedDataTest {
  @Test
  void dataWithDifferentAddressesIsDifferent() {
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      try (SharedData same = SharedData.allocate(domain, List.of(plan(8), plan(8)))) {
        assertThat(same.region("table").length()).isEqualTo(64);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SharedData.allocate(domain, List.of(plan(8), plan(16))))
          .withMessage("two plans have head, with different initial content");
    }
  }

  private static Plan plan(int first) {
    ProgramBuilder builder = new ProgramBuilder("first");
    Data table = builder.data("table", 64);
    Data head = builder.data("head", 8).put(0, table.pointer(first));
    builder.respond(table, head.address(0), 8);
    return Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
  }
}
