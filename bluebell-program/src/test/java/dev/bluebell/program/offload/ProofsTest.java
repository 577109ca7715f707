package dev.bluebell.program.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.verify.Rules;
import dev.bluebell.program.verify.Verdict;
import dev.bluebell.program.verify.Verifier;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Services that take no pointer from their client are proved, by their bytes alone, for each kind
 * of device.
 */
class ProofsTest {
  private static final int EXAMPLES = 3;

  /** The others follow pointers of the client, which may reach the words of their conditions. */
  private static final Set<String> PROVED =
      Set.of("indirect-read", "lock", "release", "fetch-add", "page-allocate");

  static List<Offload> proved() {
    return Offloads.all().stream().filter(offload -> PROVED.contains(offload.name())).toList();
  }

  @ParameterizedTest
  @MethodSource("proved")
  void itIsProved(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
        for (int seed = 0; seed < EXAMPLES; seed++) {
          Plan plan = Compiler.compile(offload.example(seed).program(), target, model);
          Verdict verdict =
              Verifier.verify(ImageBuilder.build(plan, Placement.example(plan)), rules);
          assertThat(verdict.refusals())
              .as("%s, %s, %s, seed %d%n%s", offload.name(), target, model, seed, Assembly.of(plan))
              .isEmpty();
        }
      }
    }
  }
}
