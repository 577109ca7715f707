package dev.bluebell.hca.uverbs;

/**
 * An attribute of an ioctl method.
 *
 * @param name the name in the public headers
 * @param id the number that an ioctl names it by
 */
public record Attribute(String name, int id) {}
