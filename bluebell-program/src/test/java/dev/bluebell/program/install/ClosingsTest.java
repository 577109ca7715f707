package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.FetchAdd;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingsTest {
  @Test
  void anObjectThatCannotBeClosedLeavesNoOtherOpen() {
    List<String> closed = new ArrayList<>();
    Closings closings = new Closings();
    closings.add(() -> closed.add("first"));
    closings.add(() -> refuse("second"));
    closings.add(() -> closed.add("third"));
    closings.add(() -> refuse("fourth"));
    assertThatIllegalStateException()
        .isThrownBy(closings::close)
        .withMessage("fourth")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .isEqualTo("second"));
    assertThat(closed).containsExactly("third", "first");
    closings.close();
  }

  private static void refuse(String name) {
    throw new IllegalStateException(name);
  }

  @Test
  void anInstallationWhoseCompletionQueueIsInUseClosesAllElse() {
    Plan plan = Compiler.compile(new FetchAdd(1).program(), Target.CHECKED, Model.CONSERVATIVE);
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      Installation installation = Installation.install(device, domain, plan);
      try (RcQueuePair user =
          domain.rcQueuePair(installation.completions(Counter.CALLS)).create()) {
        assertThat(user.number()).isPositive();
        assertThatIllegalStateException().isThrownBy(installation::close);
      }
      for (Counter other : List.of(Counter.LAUNCHER, Counter.WORKER, Counter.CLIENT)) {
        assertThatIllegalStateException()
            .as("%s is closed", other)
            .isThrownBy(() -> installation.completions(other).poll());
      }
    }
  }
}
