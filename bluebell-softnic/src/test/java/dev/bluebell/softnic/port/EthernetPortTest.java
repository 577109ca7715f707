package dev.bluebell.softnic.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.rig.Addresses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paths of an Ethernet port that reach a destination. */
class EthernetPortTest {
  private static final EthernetPort PORT = Addresses.PORT;

  private static Path path(int source, Gid destination, long mac) {
    return PORT.path(
        View.of(Ads.STRUCTURE)
            .set(Ads.SRC_ADDR_INDEX, source)
            .set(Ads.RMAC_47_32, mac >>> 32)
            .set(Ads.RMAC_31_0, mac & 0xffffffffL)
            .setBytes(Ads.RGID_RIP, destination.bytes()));
  }

  @ParameterizedTest
  @CsvSource({
    "ff0e:0000:0000:0000:0000:0000:1234:5678, 333312345678",
    "0000:0000:0000:0000:0000:ffff:efff:0102, 01005e7f0102"
  })
  void aGroupIsReachedAtItsOwnMac(String group, String mac) {
    Gid gid = gid(group);
    long address = Long.parseLong(mac, 16);
    int source = gid.high() == 0 ? Addresses.IPV4 : Addresses.LINK_LOCAL;
    assertThat(path(source, gid, address).leadsHere()).isTrue();
    assertThat(PORT.resolve(1, gid).mac()).isEqualTo(address);
    Path other = path(source, gid, PORT.mac());
    assertThat(other.leadsHere()).isFalse();
    assertThat(other.whyNowhere())
        .isEqualTo(
            "no port takes packets to the destination MAC %012x (rmac); it must be %s"
                .formatted(PORT.mac(), mac));
  }

  private static Gid gid(String text) {
    String digits = text.replace(":", "");
    return new Gid(
        Long.parseUnsignedLong(digits.substring(0, 16), 16),
        Long.parseUnsignedLong(digits.substring(16), 16));
  }

  @Test
  void groupsAreThoseOfIpv6AndOfIpv4() {
    assertThat(Multicast.isGroup(gid("feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"))).isFalse();
    assertThat(Multicast.isGroup(gid("ff00:0000:0000:0000:0000:0000:0000:0000"))).isTrue();
    assertThat(Multicast.isGroup(Gid.ofIpv4(0xdfffffff))).isFalse();
    assertThat(Multicast.isGroup(Gid.ofIpv4(0xe0000000))).isTrue();
    assertThat(Multicast.isGroup(Gid.ofIpv4(0xf0000000))).isFalse();
    assertThat(AddressVector.isGroup(0xbfff)).isFalse();
    assertThat(AddressVector.isGroup(0xc000)).isTrue();
    assertThat(AddressVector.isGroup(0xfffe)).isTrue();
    assertThat(AddressVector.isGroup(0xffff)).isFalse();
  }
}
