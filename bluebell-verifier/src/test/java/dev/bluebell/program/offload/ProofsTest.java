package dev.bluebell.program.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.offload.ChainWrite.Link;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verifier.Rules;
import dev.bluebell.verifier.Verifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All services are proved, by their bytes alone, for each kind of device and any tables. */
class ProofsTest {
  private static final int EXAMPLES = 3;

  /** One in this many combinations is proved for many calls; 1 for all. */
  private static final int SHARE = Integer.getInteger("bluebell.proofs.share", 12);

  private static final int MAX_REQUESTS = 200_000;

  static List<Offload> all() {
    return Offloads.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void eachServiceIsProved(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Plan plan = Compiler.compile(offload.example(0).program(), target, model);
        ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
        Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
        assertThat(Verifier.verify(image, rules, data(image), MAX_REQUESTS).refusals())
            .as("%s, %s, %s%n%s", offload.name(), target, model, Assembly.of(plan))
            .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void eachServiceIsProvedForManyCalls(Offload offload) {
    int share = offload.name().hashCode();
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        if (Math.floorMod(share++, SHARE) == 0) {
          Plan plan = Compiler.compile(offload.example(0).program(), target, model, Calls.MANY);
          ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
          Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
          assertThat(Verifier.verify(image, rules, data(image), MAX_REQUESTS).refusals())
              .as("%s, %s, %s%n%s", offload.name(), target, model, Assembly.of(plan))
              .isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  @Tag("slow")
  void examplesOfAServiceDifferOnlyInTheirData(Offload offload) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        Map<String, byte[]> first = code(offload, 0, target, model);
        for (int seed = 1; seed < EXAMPLES; seed++) {
          assertThat(code(offload, seed, target, model))
              .usingRecursiveComparison()
              .isEqualTo(first);
        }
      }
    }
  }

  /** The content of all regions except data; a proof holds for any data. */
  private static Map<String, byte[]> code(Offload offload, int seed, Target target, Model model) {
    Plan plan = Compiler.compile(offload.example(seed).program(), target, model);
    ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));
    Set<String> data = data(image);
    return image.regions().stream()
        .filter(region -> !data.contains(region.name()))
        .collect(Collectors.toMap(Region::name, Region::bytes));
  }

  private static Set<String> data(ProgramImage image) {
    return image.regions().stream()
        .map(Region::name)
        .filter(name -> name.startsWith("data "))
        .collect(Collectors.toSet());
  }

  @Test
  void aLinkWhoseMessagesComeByAQueuePairOfTheirOwnIsProved() {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
            ProtectionDomain domain = device.allocateProtectionDomain()) {
          for (Link link : new ChainWrite(3, 2, 64).links()) {
            Plan plan = Compiler.compile(link.program(), target, model);
            try (Installation at = Installation.installLink(device, domain, plan)) {
              ProgramImage image = at.image();
              assertThat(image.entryPoints().getFirst().qpn()).isEqualTo(at.endpoint().qpn());
              Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
              assertThat(Verifier.verify(image, rules, Set.of("data table"), 10_000).refusals())
                  .isEmpty();
            }
          }
        }
      }
    }
  }
}
