#pragma once

// What ATen/mps uses of Apple's Foundation framework, as its documentation declares it, so that
// the sources are parsed and type-checked where there is no Mac. Nothing here runs.

#include <cstddef>
#include <cstdint>

#define nil nullptr

using BOOL = bool;
using NSInteger = long;
using NSUInteger = unsigned long;

#define NS_ENUM(type, name) \
  enum name : type name;    \
  enum name : type

@protocol NSObject
@end

__attribute__((objc_root_class))
@interface NSObject<NSObject>
+ (instancetype)alloc;
- (instancetype)init;
@end

struct NSFastEnumerationState {
  unsigned long state;
  id __unsafe_unretained* itemsPtr;
  unsigned long* mutationsPtr;
  unsigned long extra[5];
};

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState*)state
                                  objects:(id __unsafe_unretained*)buffer
                                    count:(NSUInteger)length;
@end

@interface NSString : NSObject
+ (instancetype)stringWithUTF8String:(const char*)text;
@property(readonly) const char* UTF8String;
@end

@interface NSError : NSObject
@property(readonly, copy) NSString* localizedDescription;
@end

@interface NSArray<ObjectType> : NSObject <NSFastEnumeration>
@end

@interface NSDictionary<KeyType, ObjectType> : NSObject <NSFastEnumeration>
@property(readonly, copy) NSArray<ObjectType>* allValues;
@end

// Declarations of libdispatch, which Foundation includes.
@protocol OS_dispatch_data <NSObject>
@end
typedef NSObject<OS_dispatch_data>* dispatch_data_t;
typedef NSObject* dispatch_queue_t;
typedef void (^dispatch_block_t)(void);
#define DISPATCH_DATA_DESTRUCTOR_DEFAULT (static_cast<dispatch_block_t>(nullptr))
extern "C" dispatch_data_t dispatch_data_create(const void* buffer, size_t size,
                                                dispatch_queue_t queue, dispatch_block_t destructor)
    __attribute__((ns_returns_retained));
