package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** What of the options is about the link. */
class LinkOptionsTest {

  @Test
  void anMtuAndAnIdentityAreTaken() {
    assertThat(SoftNicOptions.parse("mtu=1024,identity=7").link())
        .isEqualTo(new LinkOptions(7, 1024));
    assertThat(SoftNicOptions.DEFAULT.link()).isEqualTo(new LinkOptions(0, 4096));
  }

  @Test
  void otherMtusAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("mtu=1500"))
        .withMessageContaining("mtu=1500")
        .withMessageContaining("over a network of 1500 bytes it is 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.DEFAULT.withMtu(1500))
        .withMessageContaining("not 1500");
  }

  @Test
  void otherIdentitiesAreRefused() {
    for (String value : new String[] {"0", "16777215", "x", "99999999"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SoftNicOptions.parse("identity=" + value))
          .withMessageContaining("from 1 to 16777214");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.DEFAULT.withIdentity(-1))
        .withMessageContaining("identity=-1");
  }
}
