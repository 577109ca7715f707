package dev.bluebell.uverbs.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The atomic mode that the kernel's side writes into the context of a responder. */
class AtomicModeTest {
  private final SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);

  @AfterEach
  void close() {
    nic.close();
  }

  @Test
  void everyServiceAnswersTheLargestAtomicsThatTheDeviceHas() {
    assertThat(largest(AtomicCaps.ATOMIC_SIZE_QP, false)).isEqualTo(Qpc.ATOMIC_MODE_16B);
    assertThat(largest(AtomicCaps.ATOMIC_SIZE_DC, false)).isEqualTo(Qpc.ATOMIC_MODE_16B);
  }

  @Test
  void outOfOrderPlacementLimitsAtomicsTo8Bytes() {
    assertThat(largest(AtomicCaps.ATOMIC_SIZE_QP, true)).isEqualTo(Qpc.ATOMIC_MODE_8B);
    assertThat(largest(AtomicCaps.ATOMIC_SIZE_DC, true)).isEqualTo(Qpc.ATOMIC_MODE_8B);
  }

  @Test
  void aServiceWithoutSizesAnswersStandardAtomics() {
    assertThat(largest(AtomicCaps.FETCH_ADD_PCI_ATOMIC, false)).isEqualTo(Qpc.ATOMIC_MODE_IB_SPEC);
  }

  private int largest(Field sizes, boolean outOfOrder) {
    return AtomicMode.largest(nic, sizes, outOfOrder);
  }
}
