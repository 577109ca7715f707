package dev.bluebell.hca.uverbs;

import java.util.ArrayList;
import java.util.List;

/**
 * A method that an ioctl can call.
 *
 * @param object the kind of object whose method it is
 * @param name the name in the public headers
 * @param id its number in an ioctl, among the methods of the same kind of object
 * @param attributes all attributes of the method
 */
public record Method(IoctlObject object, String name, int id, List<Attribute> attributes) {

  /** Starts the definition of a method. */
  public static Definition define(IoctlObject object, String name, int id) {
    return new Definition(object, name, id);
  }

  /** True when the method knows an attribute. */
  public boolean knows(int attribute) {
    return attributes.stream().anyMatch(known -> known.id() == attribute);
  }

  /** Collects the attributes of a method while its class is initialized. */
  public static final class Definition {
    private final IoctlObject object;
    private final String name;
    private final int id;
    private final List<Attribute> attributes = new ArrayList<>();

    private Definition(IoctlObject object, String name, int id) {
      this.object = object;
      this.name = name;
      this.id = id;
    }

    public Attribute attribute(String attributeName, int attributeId) {
      Attribute attribute = new Attribute(attributeName, attributeId);
      attributes.add(attribute);
      return attribute;
    }

    public Method method() {
      return new Method(object, name, id, List.copyOf(attributes));
    }
  }
}
