package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges of memory that the device can reach. */
class UmemTest {
  private final MemorySegment segment = Arena.ofAuto().allocate(100);
  private final Umem umem = new Umem(5, segment);

  @ParameterizedTest
  @CsvSource({
    "0, 100, true",
    "0, 101, false",
    "1, 99, true",
    "1, 100, false",
    "100, 0, true",
    "101, 0, false",
    "-1, 1, false",
    "0, -1, false",
    "9223372036854775807, 2, false",
    "2, 9223372036854775807, false",
  })
  void aUmemContainsOnlyWholeRanges(long offset, long bytes, boolean inside) {
    assertThat(umem.contains(offset, bytes)).isEqualTo(inside);
  }

  @Test
  void aUmemHasTheAddressAndLengthOfItsMemory() {
    assertThat(umem.number()).isEqualTo(5);
    assertThat(umem.address()).isEqualTo(segment.address());
    assertThat(umem.length()).isEqualTo(100);
    assertThat(umem.isForeign()).isFalse();
    Translation translation = umem.translation(10);
    assertThat(translation.isDirect()).isTrue();
    assertThat(translation.direct()).isEqualTo(segment.address() + 10);
  }

  @Test
  void memoryOfAnotherProcessIsNotDirect() {
    LoneProcess nowhere = new LoneProcess(new LoneChip(), 8);
    Umem foreign = Umem.foreign(6, nowhere, 0x7000, 64);
    assertThat(foreign.isForeign()).isTrue();
    assertThat(foreign.number()).isEqualTo(6);
    assertThat(foreign.address()).isEqualTo(0x7000);
    assertThat(foreign.length()).isEqualTo(64);
    Translation translation = foreign.translation(0x10);
    assertThat(translation.isDirect()).isFalse();
    assertThat(translation.direct()).isEqualTo(0x7010);
  }

  @Test
  void usersOfAUmemAreCounted() {
    umem.use(1);
    umem.use(1);
    umem.use(-1);
    assertThat(umem.users()).isEqualTo(1);
  }
}
