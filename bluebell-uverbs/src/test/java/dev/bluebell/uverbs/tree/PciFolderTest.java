package dev.bluebell.uverbs.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The apparent PCI location of a device. */
class PciFolderTest {
  @ParameterizedTest
  @CsvSource({"0, 1", "0-3, f", "'0-3,8', 10f", "0-31, ffffffff", "'0,32', '1,00000001'"})
  void aListOfProcessorsIsAMaskToo(String list, String mask) {
    assertThat(PciFolder.mask(list)).isEqualTo(mask);
  }

  @Test
  void eachDeviceIsBehindAPortOfARootThatTheMachineHasNot() throws IOException {
    PciPlace first = PciPlace.free(0);
    PciPlace second = PciPlace.free(1);
    assertThat(first.address()).matches("0000:[0-9a-f]{2}:00\\.0").isNotEqualTo(second.address());
    assertThat(first.portFolder()).isNotEqualTo(second.portFolder());
    assertThat(first.folder()).startsWith(first.portFolder() + "/");
    assertThat(Files.exists(Path.of("/sys").resolve(first.folder()))).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> PciPlace.free(30));
  }
}
