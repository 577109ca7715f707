package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All memory of an image as one array. Overlapping regions of an owner share bytes, with the
 * content of the later one in the image. A place in the array has the alignment of its address.
 */
final class Layout {
  private record Block(Region.Owner owner, long start, long end, int base) {}

  private final ProgramImage image;
  private final List<Block> blocks = new ArrayList<>();
  private final int size;

  Layout(ProgramImage image) {
    this.image = image;
    int next = 0;
    for (Region.Owner owner : Region.Owner.values()) {
      List<Region> regions =
          image.regions().stream()
              .filter(region -> region.owner() == owner)
              .sorted(Comparator.comparingLong(Region::address))
              .toList();
      for (int i = 0; i < regions.size(); ) {
        long start = regions.get(i).address();
        long end = start;
        while (i < regions.size() && regions.get(i).address() <= end) {
          end = Math.max(end, regions.get(i).address() + regions.get(i).length());
          i++;
        }
        int base = next + (int) (start & 7);
        blocks.add(new Block(owner, start, end, base));
        next = base + (int) (end - start) + 7 & ~7;
      }
    }
    size = next;
  }

  /** The initial content. */
  byte[] content() {
    byte[] content = new byte[size];
    for (Region region : image.regions()) {
      System.arraycopy(
          region.bytes(), 0, content, place(region.owner(), region.address()), region.length());
    }
    return content;
  }

  /** Place of an address of an owner; −1 when there is no memory. */
  int place(Region.Owner owner, long address) {
    for (Block block : blocks) {
      if (block.owner == owner && address >= block.start && address < block.end) {
        return block.base + (int) (address - block.start);
      }
    }
    return -1;
  }

  /** Place of the slot of a ring with an index. */
  int place(Ring ring, long index) {
    return place(ring.region().owner(), ring.address((int) index));
  }

  /** Place of a region's first byte. */
  int place(Region region) {
    return place(region.owner(), region.address());
  }

  /** First place of the client's memory, after all of the program's. */
  int clientsFrom() {
    return blocks.stream()
        .filter(block -> block.owner == Region.Owner.CLIENT)
        .mapToInt(Block::base)
        .min()
        .orElse(size);
  }

  /** True when a region overlaps a range of places; regions may overlap each other. */
  boolean touches(String region, int from, int to) {
    return image.regions().stream()
        .filter(each -> each.name().equals(region))
        .anyMatch(each -> place(each) < to && from < place(each) + each.length());
  }

  /** True when a ring overlaps a range of places. */
  boolean touches(Ring ring, int from, int to) {
    int start = place(ring, 0);
    return start < to && from < start + (ring.slots() << ring.logStride());
  }

  /** True when an application uses the byte at a place. */
  boolean isUsed(Reliance reliance, int place) {
    return image.regions().stream()
        .map(Region::name)
        .anyMatch(each -> reliance.uses(each) && touches(each, place, place + 1));
  }

  /** True for a place in the contents of a key. */
  boolean isKey(int place) {
    return image.regions().stream()
        .filter(each -> each.owner() == Region.Owner.KEY)
        .anyMatch(each -> place >= place(each) && place < place(each) + each.length());
  }

  /** Name of a place: the region and the offset in it, or the key. */
  String name(int place) {
    for (Region region : image.regions()) {
      int offset = place - place(region);
      if (offset >= 0 && offset < region.length()) {
        return region.owner() == Region.Owner.KEY
            ? "key " + region.name()
            : "%s+0x%x".formatted(region.name(), offset);
      }
    }
    return "place " + place;
  }

  /** The program's region that a data segment reads from. */
  Region source(int lkey) {
    return image.regionOfLkey(lkey).orElseThrow(() -> noMemory("lkey", lkey));
  }

  /** The program's region that a data segment writes to. */
  Region sink(int lkey) {
    return granting(source(lkey), Right.LOCAL_WRITE);
  }

  /** The region that the remote address segment of a request names. */
  Region remote(Region.Owner owner, Request request) {
    Region region =
        image
            .regionOfRkey(owner, request.rkey())
            .orElseThrow(() -> noMemory("rkey", request.rkey()));
    return granting(region, request.right());
  }

  /** The key with a number that UMRs change, whatever its lowest byte is; empty for other keys. */
  Optional<Region> key(int key) {
    return image.regions().stream()
        .filter(each -> each.owner() == Region.Owner.KEY && each.lkey() >>> 8 == key >>> 8)
        .findFirst();
  }

  private IllegalRequest noMemory(String kind, int key) {
    return new IllegalRequest(
        key(key).isPresent()
            ? "names %s 0x%x, which UMRs change: no atomic, WAIT or address taken from data may use"
                + " it in a chain"
            : "names %s 0x%x, which belongs to no region",
        kind,
        key);
  }

  private static Region granting(Region region, Right right) {
    if (!region.rights().contains(right)) {
      throw new IllegalRequest("needs the right %s to %s", right, region);
    }
    return region;
  }

  /** Place of a range in a region. */
  int place(Region region, long address, int length) {
    if (!region.contains(address, length)) {
      throw new IllegalRequest(
          "names %d bytes at 0x%x, which do not lie in %s", length, address, region);
    }
    return length == 0 ? place(region) : place(region.owner(), address);
  }
}
