package dev.bluebell.program.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.text.WqeText;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.offload.HashGet.Probing;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProgramImageTest {
  private final Plan plan =
      Compiler.compile(
          new HashGet(6, 64, 8, 1, Probing.PARALLEL).program(), Target.CHECKED, Model.CONSERVATIVE);
  private final ProgramImage image = ImageBuilder.build(plan, Placement.example(plan));

  @Test
  void entriesAreTheBytesThatADeviceReads() {
    Queue worker = image.queues().get(1);
    assertThat(worker.isLoopback()).isTrue();
    assertThat(worker.managed()).isTrue();
    assertThat(worker.send().posted()).isEqualTo(6);
    assertThat(WqeText.disassemble(worker.send().slot(3)))
        .contains("opcode=RDMA_WRITE index=3 qpn=0x000041 ds=3 ce=always fence=fence\n  raddr");
    assertThat(WqeText.disassemble(worker.send().slot(4)))
        .contains("opcode=WAIT index=4 qpn=0x000041 ds=2");
    assertThat(WqeText.disassemble(worker.send().slot(5)))
        .contains("opcode=SEND_EN index=5 qpn=0x000041 ds=2");
  }

  @Test
  void keysNameRegions() {
    for (Region region : image.regions()) {
      assertThat(image.regionOfLkey(region.lkey())).contains(region);
      assertThat(image.regionOfRkey(Region.Owner.PROGRAM, region.rkey())).contains(region);
      assertThat(region.contains(region.address(), region.length())).isTrue();
      assertThat(region.contains(region.address() + 1, region.length())).isFalse();
    }
    assertThat(image.entryPoints())
        .containsExactly(new EntryPoint("hash-get", image.queues().get(2).qpn(), 14));
  }

  @Test
  void aRingLiesInItsRegion() {
    Region region = new Region("ring", Region.Owner.PROGRAM, 0x1000, new byte[128], 1, 2, Set.of());
    Ring ring = new Ring(region, 0, 6, 1, 2);
    assertThat(ring.address(3)).isEqualTo(0x1040);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ring(region, 64, 6, 1, 0))
        .withMessageContaining("does not lie in ring");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ring(region, 0, 6, 1, 3))
        .withMessageContaining("3 of 2 slots");
  }
}
