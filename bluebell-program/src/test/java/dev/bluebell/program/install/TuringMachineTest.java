package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.TuringMachine;
import dev.bluebell.program.offload.TuringMachine.Rule;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Turing machines run on WQEs alone. */
class TuringMachineTest {
  private static final int TAPE = 32;
  private static final int LEFT = -1;
  private static final int RIGHT = 1;

  /** The busy beaver of four states: 107 steps, 13 ones. */
  private static final List<List<Rule>> BEAVER =
      List.of(
          List.of(new Rule(1, RIGHT, 1), new Rule(1, LEFT, 1)),
          List.of(new Rule(1, LEFT, 0), new Rule(0, LEFT, 2)),
          List.of(new Rule(1, RIGHT, TuringMachine.HALT), new Rule(1, LEFT, 3)),
          List.of(new Rule(1, RIGHT, 3), new Rule(0, RIGHT, 0)));

  @Test
  void theBusyBeaverOfFourStatesWritesThirteenOnes() {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        TuringMachine machine = new TuringMachine(BEAVER, new int[TAPE], TAPE / 2);
        Plan plan = Compiler.compile(machine.program(), target, model);
        SoftNicOptions options =
            SoftNicOptions.DEFAULT
                .withWqeChecks(target == Target.CHECKED)
                .withFencedEnables(model == Model.ASSUMED);
        try (Host host = new Host(plan, options)) {
          byte[] tape = host.call(machine.call(0)).getFirst();
          assertThat(ones(tape)).as("%s, %s%n%s", target, model, Assembly.of(plan)).isEqualTo(13);
        }
      }
    }
  }

  private static int ones(byte[] tape) {
    int ones = 0;
    for (int i = 0; i < TAPE; i++) {
      ones += tape[i * Long.BYTES] == 0 ? 0 : 1;
    }
    return ones;
  }

  @Test
  void aHeadThatLeavesTheTapeEndsTheCall() {
    List<List<Rule>> rules = List.of(List.of(new Rule(1, LEFT, 0), new Rule(1, LEFT, 0)));
    TuringMachine machine = new TuringMachine(rules, new int[TAPE], 3);
    Plan plan = Compiler.compile(machine.program(), Target.CHECKED, Model.CONSERVATIVE);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> host.call(machine.call(0)))
          .withMessageContaining("REMOTE_ACCESS");
    }
  }

  @Test
  void aStateThatIsNotInTheTableEndsTheCall() {
    TuringMachine machine = new TuringMachine(BEAVER, new int[TAPE], 3);
    Plan plan = Compiler.compile(machine.program(), Target.CHECKED, Model.CONSERVATIVE);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> host.call(machine.call(BEAVER.size())))
          .withMessageContaining("REMOTE_ACCESS");
    }
  }

  @Test
  void moreStatesThanAByteHasAreRefused() {
    List<List<Rule>> rules = Collections.nCopies(256, List.of(new Rule(0, 0, 0)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TuringMachine(rules, new int[1], 0))
        .withMessageContaining("at most 255");
  }
}
