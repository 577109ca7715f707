package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.bluebell.hca.HcaAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Which memory can be registered, and with which rights. */
class MemoryRegionTest {
  private final FakeHca hca = new FakeHca();
  private final ProtectionDomain domain = Device.over(hca).allocateProtectionDomain();

  @Test
  void missingMemoryAndRightsAreNamed() {
    assertThatNullPointerException()
        .isThrownBy(() -> domain.register((MemorySegment) null))
        .withMessage("the memory is null");
    assertThatNullPointerException()
        .isThrownBy(() -> domain.allocate(64, (Access[]) null))
        .withMessage("the list of access rights is null");
  }

  @Test
  void allocatedMemoryIsZeroedAndPageAligned() {
    MemoryRegion region = domain.allocate(10_000, Access.LOCAL_WRITE);
    assertThat(region.length()).isEqualTo(10_000);
    assertThat(region.address() % 4096).isZero();
    assertThat(region.segment().address()).isEqualTo(region.address());
    assertThat(region.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    assertThat(region.lkey()).isNotZero();
    assertThat(region.rkey()).isEqualTo(region.lkey());
  }

  @Test
  void rightsReachTheDevice() {
    domain.allocate(64);
    domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    domain.allocate(64, Access.REMOTE_READ);
    domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
    domain.allocate(64, Access.REMOTE_INVALIDATE);
    domain.allocate(64, Access.RELAXED_ORDERING, Access.REMOTE_READ);
    domain.allocate(64, Access.ON_DEMAND, Access.HUGE_PAGES);
    assertThat(hca.registrations)
        .containsExactly(
            0,
            HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_WRITE,
            HcaAccess.REMOTE_READ,
            HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_ATOMIC,
            HcaAccess.REMOTE_INVALIDATE,
            HcaAccess.RELAXED_ORDERING | HcaAccess.REMOTE_READ,
            HcaAccess.ON_DEMAND | HcaAccess.HUGE_PAGES);
  }

  @Test
  void permissionsAreNoRights() {
    assertThat(Access.rights())
        .doesNotContain(Access.RELAXED_ORDERING, Access.ON_DEMAND, Access.HUGE_PAGES)
        .hasSize(5);
  }

  @Test
  void aDmaBufIsNamedByItsOffsets() {
    try (MemoryRegion region = domain.registerDmaBuf(7, 8192, 100, Access.LOCAL_WRITE)) {
      assertThat(region.address()).isEqualTo(8192);
      assertThat(region.length()).isEqualTo(100);
      assertThat(region.segment().byteSize()).isZero();
      assertThat(region.remote()).isEqualTo(new RemoteMemory(8192, region.rkey(), 100));
      assertThat(hca.dmaBufs).containsExactly("7: 100 bytes from 8192, access 1");
    }
  }

  @Test
  void anInvalidDmaBufIsRefusedWithoutAskingTheDevice() {
    assertThatIllegalArgumentException().isThrownBy(() -> domain.registerDmaBuf(-1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> domain.registerDmaBuf(3, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> domain.registerDmaBuf(3, 0, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.registerDmaBuf(3, Long.MAX_VALUE, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.registerDmaBuf(3, 0, 1, Access.REMOTE_WRITE));
    assertThat(hca.dmaBufs).isEmpty();
  }

  @Test
  void remoteWritingAndAtomicsRequireLocalWriting() {
    for (Access right : new Access[] {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.allocate(64, right))
          .withMessageContaining("require LOCAL_WRITE");
    }
    assertThat(hca.registrations).isEmpty();
  }

  @Test
  void memoryThatCannotBeFreedIsAccepted() {
    domain.register(Arena.ofAuto().allocate(64), Access.LOCAL_WRITE);
    domain.register(Arena.global().allocate(64), Access.LOCAL_WRITE);
    domain.register(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(64)), Access.LOCAL_WRITE);
    domain.register(Arena.ofAuto().allocate(64).asSlice(8, 16));
    assertThat(hca.registrations).hasSize(4);
  }

  @Test
  void memoryOfArenasThatCanBeClosedIsRefused() {
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (Arena arena : new Arena[] {confined, shared}) {
        MemorySegment memory = arena.allocate(64);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> domain.register(memory))
            .withMessageContaining("arena could be closed")
            .withMessageContaining("Arena.ofAuto()");
      }
    }
  }

  @Test
  void heapMemoryIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[64])))
        .withMessageContaining("heap memory")
        .withMessageContaining("ProtectionDomain.allocate");
  }

  @Test
  void memoryThatTheJvmMayNotHaveIsRefusedWithTheOption() {
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> domain.allocate(1L << 46))
        .withMessageContaining("%d bytes", 1L << 46)
        .withMessageContaining("-XX:MaxDirectMemorySize");
  }

  @Test
  void readOnlyMemoryIsNotRegisteredForWriting() {
    MemorySegment memory = Arena.ofAuto().allocate(64).asReadOnly();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.register(memory, Access.LOCAL_WRITE))
        .withMessageContaining("read-only");
    domain.register(memory, Access.REMOTE_READ);
    assertThat(hca.registrations).containsExactly(HcaAccess.REMOTE_READ);
  }

  @Test
  void emptyMemoryIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> domain.allocate(0));
    assertThatIllegalArgumentException().isThrownBy(() -> domain.allocate(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.register(Arena.ofAuto().allocate(64).asSlice(0, 0)));
  }

  @Test
  void aClosedDomainRegistersNothing() {
    domain.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.allocate(64))
        .withMessageContaining("is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.register(Arena.ofAuto().allocate(64)));
  }

  @Test
  void aRegionIsClosedOnce() {
    MemoryRegion region = domain.allocate(64);
    region.close();
    region.close();
    assertThat(hca.closings()).containsExactly("memory");
  }
}
