// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/openssl_aead.h"

#include <stdexcept>

#include "measure/libcrypto.h"

namespace shredder::crypto {
namespace {

constexpr int kGetTag = 0x10;  // EVP_CTRL_AEAD_GET_TAG

}  // namespace

struct OpensslAead::Library {
    tools::Libcrypto crypto;
    void* context = nullptr;
    void (*freeContext)(void*) = nullptr;
    int (*init)(void*, const void*, void*, const unsigned char*, const unsigned char*) = nullptr;
    int (*update)(void*, unsigned char*, int*, const unsigned char*, int) = nullptr;
    int (*final)(void*, unsigned char*, int*) = nullptr;
    int (*control)(void*, int, int, void*) = nullptr;

    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (context != nullptr) freeContext(context);
    }

    void take(unsigned char* out, const std::uint8_t* in, std::size_t bytes) const {
        int written = 0;
        if (update(context, out, &written, in, static_cast<int>(bytes)) != 1) {
            throw std::runtime_error("OpenSSL failed to seal " + std::to_string(bytes) + " bytes");
        }
    }
};

OpensslAead::OpensslAead(Aead aead, const std::uint8_t (&key)[kKeyBytes])
    : library_(std::make_unique<Library>()) {
    const tools::Libcrypto& crypto = library_->crypto;
    library_->freeContext = crypto.find<decltype(Library::freeContext)>("EVP_CIPHER_CTX_free");
    library_->init = crypto.find<decltype(Library::init)>("EVP_EncryptInit_ex");
    library_->update = crypto.find<decltype(Library::update)>("EVP_EncryptUpdate");
    library_->final = crypto.find<decltype(Library::final)>("EVP_EncryptFinal_ex");
    library_->control = crypto.find<decltype(Library::control)>("EVP_CIPHER_CTX_ctrl");
    library_->context = crypto.find<void* (*)()>("EVP_CIPHER_CTX_new")();
    const char* name = aead == Aead::kAes256Gcm ? "EVP_aes_256_gcm" : "EVP_chacha20_poly1305";
    if (library_->init(library_->context, crypto.find<const void* (*)()>(name)(), nullptr, key, nullptr) !=
        1) {
        throw std::runtime_error(std::string("OpenSSL refuses ") + name);
    }
}

OpensslAead::~OpensslAead() = default;

void OpensslAead::seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear,
                       std::size_t clearBytes, const std::uint8_t* plain, std::size_t bytes,
                       std::uint8_t* sealed) {
    if (library_->init(library_->context, nullptr, nullptr, nullptr, nonce) != 1) {
        throw std::runtime_error("OpenSSL refuses a nonce");
    }
    if (clearBytes > 0) library_->take(nullptr, clear, clearBytes);
    if (bytes > 0) library_->take(sealed, plain, bytes);
    int written = 0;
    if (library_->final(library_->context, sealed + bytes, &written) != 1 ||
        library_->control(library_->context, kGetTag, kTagBytes, sealed + bytes) != 1) {
        throw std::runtime_error("OpenSSL gives no tag");
    }
}

}  // namespace shredder::crypto
