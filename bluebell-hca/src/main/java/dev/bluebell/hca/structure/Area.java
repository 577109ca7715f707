package dev.bluebell.hca.structure;

/**
 * A structure inside a structure.
 *
 * @param name the name in the public headers; empty when the outer structure has the inner fields
 *     directly
 * @param offset from the start of the outer structure, in bytes
 * @param structure the inner structure
 */
public record Area(String name, int offset, Structure structure) {}
