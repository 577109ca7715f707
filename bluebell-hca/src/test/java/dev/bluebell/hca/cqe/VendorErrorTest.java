package dev.bluebell.hca.cqe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VendorErrorTest {

  @ParameterizedTest
  @CsvSource({
    "0x15,0x81",
    "0x14,0x89",
    "0x04,0x32",
    "0x04,0x51",
    "0x04,0x52",
    "0x04,0x53",
    "0x13,0x88",
    "0x12,0x8a",
    "0x05,0xf9",
    "0x01,0x68",
    "0x02,0x68",
    "0x06,0x78",
    "0x02,0xd6",
    "0x16,0x87"
  })
  void codesOfPublicLogsAreKnownWithTheirSyndrome(String syndrome, String code) {
    int syndromeNumber = Integer.decode(syndrome);
    int codeNumber = Integer.decode(code);
    assertThat(VendorError.isKnown(syndromeNumber, codeNumber)).isTrue();
    assertThat(VendorError.explain(syndromeNumber, codeNumber))
        .startsWith("vendor code %s: seen ".formatted(code))
        .contains("(");
  }

  @Test
  void allOtherCodesAreReportedAsUnknown() {
    assertThat(VendorError.isKnown(Syndrome.LOCAL_PROT_ERR, 0x88)).isFalse();
    assertThat(VendorError.explain(Syndrome.LOCAL_PROT_ERR, 0x88))
        .isEqualTo("vendor code 0x88: nothing is publicly known about it with this syndrome");
    assertThat(VendorError.explain(Syndrome.LOCAL_PROT_ERR, 0))
        .isEqualTo("vendor code 0x00 carries no information");
  }
}
